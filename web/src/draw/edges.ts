// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Outlines without steps, where the canvas takes one sample a pixel: what was drawn is drawn once
// more, and pixels on an edge become means along that edge (after FXAA, Lottes 2009).

import * as THREE from "three";
import { FullScreenQuad } from "three/examples/jsm/postprocessing/Pass.js";
import type { Rect } from "../layout";
import { corners } from "./camera/room";
import { pixelMaterial } from "./pixels";

// A mean from farther along the edge counts where it lies within what is around the pixel; beyond
// that it has met something else.
const FRAGMENT = /* glsl */ `
    uniform sampler2D drawn;
    uniform vec2 pixel;

    const float FARTHEST = 8.0;

    vec3 look(vec2 at) { return texture2D(drawn, at).rgb; }
    float lightness(vec3 colour) { return dot(colour, vec3(0.3, 0.59, 0.11)); }
    float corner(vec2 at, vec2 way) { return lightness(look(at + 0.5 * way * pixel)); }

    void main() {
        vec2 at = gl_FragCoord.xy * pixel;
        gl_FragColor = vec4(look(at), 1.0);
        float own = lightness(gl_FragColor.rgb);
        float nw = corner(at, vec2(-1, 1)), ne = corner(at, vec2(1, 1));
        float sw = corner(at, vec2(-1, -1)), se = corner(at, vec2(1, -1));
        float least = min(own, min(min(nw, ne), min(sw, se)));
        float most = max(own, max(max(nw, ne), max(sw, se)));
        if (most - least < max(0.03, 0.08 * most)) return;

        vec2 along = vec2(sw + se - nw - ne, ne + se - nw - sw);
        float slight = max(0.03 * (nw + ne + sw + se), 0.008);
        along /= min(abs(along.x), abs(along.y)) + slight;
        along = clamp(along, -FARTHEST, FARTHEST) * pixel;
        vec3 near = 0.5 * (look(at - along / 6.0) + look(at + along / 6.0));
        vec3 far = 0.5 * near + 0.25 * (look(at - 0.5 * along) + look(at + 0.5 * along));
        float there = lightness(far);
        gl_FragColor.rgb = there < least || there > most ? near : far;
    }
`;

export class SmoothEdges {
    private drawn: THREE.FramebufferTexture | null = null;
    private readonly material = pixelMaterial(FRAGMENT, {
        drawn: { value: null },
        pixel: { value: new THREE.Vector2() },
    });
    private readonly quad = new FullScreenQuad(this.material);

    constructor(private readonly renderer: THREE.WebGLRenderer) {}

    /** Of what lies in these boxes, in the part of the canvas that was drawn last: `part`, as y of the
     *  canvas goes, upwards. Backdrops have no edges, and every pixel costs. */
    draw(part: Rect, camera: THREE.Camera, boxes: THREE.Box3[]): void {
        const { renderer } = this;
        const { x, y, width, height } = partOf(part, camera, boxes);
        if (!(width > 0 && height > 0)) return; // out of the picture, or flown
        renderer.copyFramebufferToTexture(this.texture());
        renderer.setScissor(x, y, width, height);
        this.quad.render(renderer);
    }

    private texture(): THREE.FramebufferTexture {
        const { x: width, y: height } = this.renderer.getDrawingBufferSize(new THREE.Vector2());
        if (this.drawn?.image.width === width && this.drawn.image.height === height)
            return this.drawn;
        this.drawn?.dispose();
        this.drawn = new THREE.FramebufferTexture(width, height);
        this.drawn.minFilter = this.drawn.magFilter = THREE.LinearFilter;
        this.material.uniforms.drawn!.value = this.drawn;
        this.material.uniforms.pixel!.value.set(1 / width, 1 / height);
        return this.drawn;
    }

    /** What went down with a context is made anew. */
    dispose(): void {
        this.drawn?.dispose();
        this.drawn = null;
        this.material.dispose();
        this.quad.dispose();
    }
}

/** Where the boxes lie in a part of the picture. */
function partOf(part: Rect, camera: THREE.Camera, boxes: THREE.Box3[]): Rect {
    const seen = new THREE.Box2();
    for (const place of boxes.flatMap(corners)) {
        place.applyMatrix4(camera.matrixWorldInverse);
        if (place.z >= 0) return part; // beside the eye: anywhere
        place.applyMatrix4(camera.projectionMatrix);
        seen.expandByPoint(new THREE.Vector2(place.x, place.y));
    }
    const all = new THREE.Box2(new THREE.Vector2(-1, -1), new THREE.Vector2(1, 1));
    const { min, max } = seen.intersect(all);
    const scale = new THREE.Vector2(part.width / 2, part.height / 2);
    const from = min.addScalar(1).multiply(scale).floor();
    const to = max.addScalar(1).multiply(scale).ceil();
    return { x: part.x + from.x, y: part.y + from.y, width: to.x - from.x, height: to.y - from.y };
}
