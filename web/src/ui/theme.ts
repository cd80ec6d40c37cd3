// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Light or dark: the system's choice, unless another one was made here. index.html does the same
// before the first paint; this keeps it up to date.

import type { Theme } from "../layout";

const key = "weft-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const watchers: ((theme: Theme) => void)[] = [];

// Storage can be refused, by settings or in a frame; the choice then lasts as long as the page.
let chosen = readChoice();

function readChoice(): Theme | undefined {
    try {
        const value = localStorage.getItem(key);
        return value === "light" || value === "dark" ? value : undefined;
    } catch {
        return undefined;
    }
}

function storeChoice(): void {
    try {
        if (chosen) localStorage.setItem(key, chosen);
        else localStorage.removeItem(key);
    } catch {
        // nothing depends on it
    }
}

function systemTheme(): Theme {
    return system.matches ? "dark" : "light";
}

export function currentTheme(): Theme {
    return chosen ?? systemTheme();
}

function apply(): void {
    const theme = currentTheme();
    if (document.documentElement.dataset.theme === theme) return;
    document.documentElement.dataset.theme = theme;
    for (const callback of watchers) callback(theme);
}

/** As long as the page is there. */
export function setTheme(theme: Theme): void {
    chosen = theme;
    apply();
}

/** From now on. Choosing what the system says means to follow the system again. */
export function toggleTheme(): void {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    chosen = theme === systemTheme() ? undefined : theme;
    storeChoice();
    apply();
}

/** Calls now and whenever the theme changes. */
export function onTheme(callback: (theme: Theme) => void): void {
    watchers.push(callback);
    callback(currentTheme());
}

system.addEventListener("change", apply);
apply();
