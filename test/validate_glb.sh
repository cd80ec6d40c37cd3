#!/bin/sh
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# Asks the Khronos validator about GLB files: test/validate_glb.sh FILE...
# Fails on any error or warning. Without node and npm, or where npm cannot fetch the validator, it
# says so and passes.

set -eu

if [ $# -eq 0 ]; then
    echo "usage: $0 FILE..." >&2
    exit 2
fi
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "skipped: the glTF validator needs node and npm"
    exit 0
fi

folder="${TMPDIR:-/tmp}/weft_gltf_validator_$(id -u)"
mkdir -p "$folder"
if [ ! -d "$folder/node_modules/gltf-validator" ] &&
    ! npm install --silent --no-audit --no-fund --prefix "$folder" \
        gltf-validator@2.0.0-dev.3.10 >/dev/null 2>&1; then
    echo "skipped: npm cannot install gltf-validator"
    exit 0
fi

NODE_PATH="$folder/node_modules" node - "$@" <<'SCRIPT'
const fs = require('fs');
const validator = require('gltf-validator');

async function validate(path) {
    const bytes = new Uint8Array(fs.readFileSync(path));
    // Cloth turns while it moves, so that tangents of its first frame would be wrong later on;
    // viewers find them where the normals are by then.
    const ignoredIssues = ['MESH_PRIMITIVE_GENERATED_TANGENT_SPACE'];
    const report = await validator.validateBytes(bytes, {uri: path, maxIssues: 20, ignoredIssues});
    const issues = report.issues;
    console.log(`${path}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ` +
                `${issues.numInfos} infos, ${issues.numHints} hints`);
    for (const message of issues.messages)
        console.log(`  ${message.code} ${message.pointer}: ${message.message}`);
    return issues.numErrors === 0 && issues.numWarnings === 0;
}

(async () => {
    let good = true;
    for (const path of process.argv.slice(2)) good = await validate(path) && good;
    process.exit(good ? 0 : 1);
})();
SCRIPT
