// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A result that was computed elsewhere, played back.

import type { Box3 } from "three";
import type { Clip } from "../../results/clip";
import { ClothView, type Style } from "../../draw/cloth";
import { addPicture } from "../../draw/pictures";
import { FieldScale } from "../fields";
import { bodyVertexCount, type FieldName, type Frame } from "../../shape";

const FIRST = 3; // seconds that the first picture has room for
const MOMENTS = 8; // of them that are looked at

export class Replay {
    readonly view: ClothView;
    readonly frame: Frame;
    scale: FieldScale | null = null;
    time = 0;
    playing = true;
    speed = 1;
    loop = true;
    private readonly values: Float32Array;
    private field: FieldName = "none";

    constructor(
        readonly clip: Clip,
        style: Style,
    ) {
        const { vertexCount } = clip.shape;
        const { looks, pictures } = clip.shape;
        this.view = new ClothView(clip.shape, style, looks);
        // what it prints is there a little later
        for (const { file, bytes } of pictures ?? [])
            void addPicture(file, bytes).then(
                () => this.view.setLooks(looks!),
                () => {}, // the cloth has its colour then
            );
        this.frame = {
            time: 0,
            positions: new Float32Array(3 * vertexCount),
            normals: new Float32Array(3 * vertexCount),
            bodies: new Float32Array(3 * bodyVertexCount(clip.shape)),
        };
        this.values = new Float32Array(vertexCount);
        this.show();
    }

    /** `seconds` have passed on the clock. */
    tick(seconds: number): void {
        if (!this.playing || this.clip.duration <= 0) return;
        const next = this.time + seconds * this.speed;
        const past = next > this.clip.duration;
        this.time = !past ? next : this.loop ? next % this.clip.duration : this.clip.duration;
        if (past && !this.loop) this.playing = false;
        this.show();
    }

    seek(time: number): void {
        this.time = Math.min(Math.max(0, time), this.clip.duration);
        this.show();
    }

    /** The next frame of the file. */
    step(): void {
        const next = this.clip.frameAt(this.time) + 1;
        this.seek(this.clip.times[next < this.clip.frameCount ? next : 0]!);
    }

    stepBack(): void {
        this.seek(this.clip.times[Math.max(0, this.clip.frameAt(this.time) - 1)]!);
    }

    /** Boxes of cloth and bodies at some moments of the beginning, and the floor. */
    firstSeconds(): { moments: Box3[][]; floor: number | null } {
        const end = Math.min(FIRST, this.clip.duration);
        const moments: Box3[][] = [];
        let floor: number | null = null;
        for (let i = 0; i <= MOMENTS; i++) {
            this.seek((end * i) / MOMENTS);
            const around = this.view.bodies?.surroundings();
            floor = around?.floor ?? floor;
            moments.push([this.view.box.clone(), ...(around?.boxes ?? [])]);
            if (end === 0) break;
        }
        this.seek(0);
        return { moments, floor };
    }

    setStyle(style: Style): void {
        this.view.setStyle(style);
    }

    /** Curvature and distances are known of live scenes only. */
    setField(field: FieldName): void {
        this.field = field === "stretch" || field === "speed" ? field : "none";
        this.scale = this.field === "none" ? null : new FieldScale(this.field);
        this.show();
    }

    private show(): void {
        this.clip.sample(this.time, this.frame);
        this.view.update(this.frame);
        if (this.field === "stretch") this.clip.stretch(this.time, this.values);
        if (this.field === "speed") this.clip.speed(this.time, this.values);
        this.scale?.follow([this.values]);
        this.view.showField(this.scale && { values: this.values, scale: this.scale.colours });
    }

    dispose(): void {
        this.view.dispose();
    }
}
