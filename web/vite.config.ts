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
        // a style that could not be loaded is not asked for again
        cssCodeSplit: false,
        // what is loaded when first needed: tools/web.sh does not count it
        rollupOptions: { output: { chunkFileNames: "assets/later-[name]-[hash].js" } },
    },
    worker: { format: "es" },
    server: { fs: { allow: [".."] } },
    // software rendering on a busy machine takes its time; two files at a time, since each waits a lot:
    // for the page to load, for steps on one thread
    test: {
        testTimeout: 120000,
        hookTimeout: 120000,
        maxWorkers: 2,
        // once more where others share the machine; reports tell it
        retry: process.env.CI ? 1 : 0,
        expect: { poll: { timeout: 20000 } },
    },
});
