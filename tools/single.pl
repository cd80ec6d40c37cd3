#!/usr/bin/env perl
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# single.pl OUT: writes the core library as one file, OUT/weft.c, and its public headers beside it.
#
# Sources follow each other in the order of their folders, each with those headers before it that
# no source before it has had. What is static in a file, its types, constants and macros included,
# now shares one room with that of all others:
#
#     a name that several sources have      gets the source's path in front, in each of them:
#                                           `wide` of sparse/product_wide.c is sparse_product_wide_wide
#     a macro                               ends with its source, by #undef
#     a header of kernels, which asks for   is copied into every source that includes it, and counts
#     what the source has defined (WIDE)    as part of that source
#
# Names of fields stay: they are behind a dot or an arrow, or declared inside of a struct.

use strict;
use warnings;
use File::Basename qw(basename dirname);
use File::Path qw(make_path);

my $out = shift // die "usage: single.pl OUT\n";
chdir dirname(__FILE__) . '/..' or die "single: $!\n";

# the build knows which folders the core is, from the ground up
open my $build, '<', 'CMakeLists.txt' or die "single: CMakeLists.txt: $!\n";
my ($folders) = join('', <$build>) =~ /^weft_objects\(weft_core_objects ([^)]*)\)/m;
my @folders = split ' ', $folders // die "single: CMakeLists.txt names no folders of the core\n";
my @public = grep { !/weft_io\.h$/ } sort glob 'include/weft/*.h';
my @sources = map { sort glob "src/$_/*.c" } @folders;
die "single: no sources\n" unless @sources;

# what one word after the other is: white space and comments, strings, names, numbers, the rest
my $token = qr{\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*
               |\.?\d(?:[eEpP][+-]|[\w.])*|->|.}xs;
my $silent = qr{^(?:\s|//|/\*)};

sub read_text {
    my ($path) = @_;
    open my $file, '<', $path or die "single: $path: $!\n";
    local $/;
    my $text = <$file>;
    $text =~ s{\A(?://\ SPDX-[^\n]*\n)+\n?}{}x;
    return $text;
}

# ---------------------------------------------------------------------------------------------
# Includes

my (@parts, %part_of, %system);

# A source or a shared header becomes a part, behind the parts of all headers that it includes.
sub add_part {
    my ($path) = @_;
    my $part = $part_of{$path} = {path => $path, includes => {}};
    $part->{text} = put_includes(read_text($path), $part);
    push @parts, $part;
}

# the text without its includes, but with headers of kernels in their place
sub put_includes {
    my ($text, $part) = @_;
    $text =~ s{^(\#include\ (["<])([^">]+)[">][^\n]*\n)}{
        $2 eq '"' ? put_header($3, $part) : put_system($3, $1)
    }gemx;
    return $text;
}

sub put_header {
    my ($name, $part) = @_;
    return '' if $name =~ /^weft\//;  # public: all of them come first
    my $path = "src/$name";
    my $text = read_text($path);
    return put_includes($text, $part) if is_of_kernels($text);
    add_part($path) unless $part_of{$path};
    $part->{includes}{$path} = 1;
    return '';
}

sub is_of_kernels { return $_[0] !~ /^#ifndef WF_\w+_H$/m || $_[0] =~ /^#ifdef (?:WIDE|FUSED)$/m }

# public headers, each behind those that it includes
sub in_order {
    my %seen;
    my $add;
    $add = sub { map { $seen{$_}++ ? () : ($add->(public_includes($_)), $_) } @_ };
    return $add->(@_);
}

sub public_includes { return map { "include/$_" } read_text($_[0]) =~ /^#include "(weft\/[^"]+)"/mg }

# headers of ISO C come first of all; those of vector instructions stay behind their conditions
sub put_system {
    my ($name, $line) = @_;
    return $line if $name =~ /^(?:arm_neon|immintrin|wasm_simd128|intrin|stdatomic)\.h$/;
    $system{$name} = 1;
    return '';
}

# ---------------------------------------------------------------------------------------------
# Names of a file: what it declares outside of functions, and macros

sub macros { my %seen; return grep { !$seen{$_}++ } $_[0] =~ /^[ ]*#[ ]*define[ ]+(\w+)/mg }

# declarations of the text, each as its words; a function's is all before its body
sub declarations {
    my ($text) = @_;
    $text =~ s/^[ ]*#(?:[^\n\\]|\\.)*\n//smg;
    my (@all, @words);
    my $depth = 0;
    for ($text =~ /$token/g) {
        next if /$silent/;
        push @words, $_;
        $depth++ if $_ eq '{';
        $depth-- if $_ eq '}';
        next if $depth;
        my $body = $_ eq '}' && is_function(@words);
        if ($_ eq ';' || $body) {
            push @all, [@words];
            @words = ();
        }
    }
    die "single: braces do not match\n" if $depth;
    return @all;
}

# `int f(int x) {`: the first brace follows a parenthesis
sub is_function {
    for my $i (1 .. $#_) {
        return $_[$i - 1] eq ')' if $_[$i] eq '{';
    }
    return 0;
}

# the words outside of all parentheses, brackets and braces, these as pairs: () [] {}
sub outermost {
    my @words;
    my $depth = 0;
    for (@_) {
        if (/^[({\[]$/) { push @words, $_ unless $depth++ }
        elsif (/^[)}\]]$/) { push @words, $_ unless --$depth }
        elsif (!$depth) { push @words, $_ }
    }
    return @words;
}

sub enumerators {
    my ($text) = @_;
    return () unless $text =~ /^(?:typedef )?enum (?:\w+ )?\{ (.*?) \}/;
    return map { /^\s*(\w+)/ ? $1 : () } split /,/, $1;
}

# $static: a pattern of words that make what follows static
sub names_of {
    my ($static, @words) = @_;
    my $text = "@words";
    my @names = enumerators($text);
    push @names, $1 if $text =~ /^(?:typedef |static |const )*(?:struct|union|enum) (\w+) \{/;
    return @names if $text !~ /^(?:typedef|$static)\b/ || $text =~ /^typedef struct (\w+) \1 ;/;
    # a typedef of a pointer to a function has its name in parentheses
    return (@names, $1) if $text =~ /^typedef [^{]*\( \* (\w+) \)/;
    # `type a, b[] = {}, c(...`: names are before these marks, and not behind a sign of equality
    my ($declared) = join(' ', outermost(@words)) =~ /^(.*?)(?:\(|;|$)/;
    $declared =~ s/(?:\[ \]|\{ \}) ?//g;
    return (@names, map { /(\w+) *(?:=.*)?$/ ? $1 : () } split /,/, $declared);
}

sub local_names {
    my ($text, $static) = @_;
    my %names = map { $_ => 1 } map { names_of($static, @$_) } declarations($text);
    return keys %names;
}

# ---------------------------------------------------------------------------------------------
# Other names for those

# the kind of a brace that opens: of a struct or union, or another
sub opens_fields { return "@_" =~ /(?:struct|union)(?: \w+)?$/ }

sub rename_in {
    my ($text, $new) = @_;
    my @tokens = $text =~ /$token/g;
    my @loud = grep { $tokens[$_] !~ /$silent/ } 0 .. $#tokens;
    my (@braces);
    for my $k (0 .. $#loud) {
        my $word = \$tokens[$loud[$k]];
        my $last = $k > 0 ? $tokens[$loud[$k - 1]] : '';
        my $next = $k < $#loud ? $tokens[$loud[$k + 1]] : '';
        if ($$word eq '{') {
            push @braces, opens_fields(map { $_ < 0 ? '' : $tokens[$loud[$_]] } $k - 2, $k - 1);
        } elsif ($$word eq '}') {
            pop @braces;
        } elsif (my $name = $new->{$$word}) {
            my $field = $last eq '.' || $last eq '->';
            $field ||= @braces && $braces[-1] && ($next =~ /^[;,\[:]$/ || "$last$next" eq '*)');
            $$word = $name unless $field;
        }
    }
    return join '', @tokens;
}

# ---------------------------------------------------------------------------------------------
# The file

add_part($_) for @sources;

my @static = map { $_->{text} =~ /^#define (\w+) static\b/mg } @parts;
my $static = '(?:' . join('|', 'static', @static) . ')';
my (%owners, %header_of);
for my $part (@parts) {
    $part->{names} = [local_names($part->{text}, $static)];
    $owners{$_}++ for @{$part->{names}};
    next unless $part->{path} =~ /\.h$/;
    $header_of{dirname($part->{path}) . " $_"} = $part for @{$part->{names}};
}

# `sparse_product_wide_` of src/sparse/product_wide.c
sub prefix {
    my ($part) = @_;
    my ($name) = $part->{path} =~ m{^src/(.*)\.[ch]$};
    return $name =~ tr{/}{_}r . '_';
}

# new names of what the part declares and of what it has from headers
sub new_names {
    my ($part) = @_;
    return $part->{new} if $part->{new};
    my %new = map { %{new_names($part_of{$_})} } sort keys %{$part->{includes}};
    $new{$_} = prefix($part) . $_ for grep { $owners{$_} > 1 } @{$part->{names}};
    return $part->{new} = \%new;
}

# and of types that it only mentions, `struct WfFlat`: another header of its folder declares them
sub mentioned_names {
    my ($part) = @_;
    my @names = grep { $owners{$_} } $part->{text} =~ /\bstruct (\w+)/g;
    my %headers = map { $_ => $header_of{dirname($part->{path}) . " $_"} } @names;
    return map { $_ => prefix($headers{$_}) . $_ } grep { $headers{$_} && $owners{$_} > 1 } @names;
}

sub banner {
    my ($path) = @_;
    return "\n// " . '=' x 93 . "\n// $path\n\n";
}

sub part_text {
    my ($part) = @_;
    my $text = rename_in($part->{text}, {mentioned_names($part), %{new_names($part)}});
    $text .= join '', map { "#undef $_\n" } macros($text) if $part->{path} =~ /\.c$/;
    return banner($part->{path}) . $text;
}

sub as_comment {
    my ($text) = @_;
    $text =~ s{^(.*)$}{length $1 ? "// $1" : '//'}gem;
    return $text;
}

my ($version) = join '.', read_text('include/weft/weft.h') =~ /^#define WEFT_VERSION_\w+ (\d+)/mg;
my $head = <<"END";
// weft $version, cloth for real-time use: the core library as one file, written by tools/single.pl.
//
//     cc -O2 -c weft.c              link with -lm; include weft.h
//
// -fopenmp        runs loops in parallel where the user asks for threads (WeftJobs)
// -DWEFT_ASSERTS  keeps the asserts
// -DWEFT_NARROW   leaves out vectors of eight lanes (AVX2), which are used where a machine has them

#if !defined(WEFT_ASSERTS) && !defined(NDEBUG)
#define NDEBUG
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1  // what C17 says of printf
#endif

// The same bits on every machine: no contraction to fused multiply-add.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"  // inline ones, which were in headers
#elif defined(__GNUC__)
#pragma GCC push_options
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno")
#else
#pragma GCC optimize("fp-contract=off", "no-math-errno")
#endif
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

END
my $tail = <<"END";

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
END
my $hidden = <<"END";

// what only sources know of each other
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif
END

sub write_file {
    my ($path, @texts) = @_;
    open my $file, '>', $path or die "single: $path: $!\n";
    print $file @texts;
    close $file or die "single: $path: $!\n";
}

make_path($out);
for my $path (@public) {
    open my $file, '<', $path or die "single: $path: $!\n";
    write_file("$out/" . basename($path), map { s{^#include "weft/}{#include "}r } <$file>);
}
my @headers = map { banner($_) . put_includes(read_text($_), {}) } in_order(@public);
my @body = map { part_text($_) } @parts;
my @system = map { "#include <$_>\n" } sort keys %system;
write_file("$out/weft.c", as_comment(read_text('LICENSE')), "\n", $head, @system, @headers, $hidden,
    @body, $tail);
