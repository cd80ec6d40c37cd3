// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is worked out of pictures pixel by pixel, over all of a viewport.

import * as THREE from "three";

const VERTEX = /* glsl */ `
    void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }
`;

/** For a FullScreenQuad. */
export function pixelMaterial(
    fragmentShader: string,
    uniforms: Record<string, THREE.IUniform>,
    defines: Record<string, number> = {},
): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader,
        uniforms,
        defines,
        blending: THREE.NoBlending,
        depthTest: false,
        depthWrite: false,
        toneMapped: false,
    });
}
