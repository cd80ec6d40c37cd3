// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

import { defineConfig } from "vitest/config";

// Addresses are relative, so that the site works from any folder of any static host.
export default defineConfig({
    base: "./",
    build: {
        outDir: "../build/web/site",
        emptyOutDir: true,
        license: { fileName: "licences.md" },
        target: "es2022",
        chunkSizeWarningLimit: 1000,
        // what is loaded when first needed: tools/web.sh does not count it
        rollupOptions: { output: { chunkFileNames: "assets/later-[name]-[hash].js" } },
    },
    worker: { format: "es" },
    server: { fs: { allow: [".."] } },
    // software rendering on a busy machine takes its time; files one after the other leave it some
    test: {
        testTimeout: 60000,
        hookTimeout: 60000,
        fileParallelism: false,
        expect: { poll: { timeout: 20000 } },
    },
});
