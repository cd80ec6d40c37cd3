// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is drawn, whether it is simulated here or was simulated elsewhere.

/** What does not change while a scene plays. Vertices are those of the model. */
export interface Shape {
    vertexCount: number;
    /** Three vertices per triangle; empty for ropes alone. */
    triangles: Uint32Array;
    /** Two vertices per segment of a rope. */
    lines: Uint32Array;
    /** The flat shape: u along the warp, v along the weft, metres, two numbers per vertex. */
    uv: Float32Array;
}

/** What does. Three numbers per vertex, metres, y up. */
export interface Frame {
    /** Seconds. */
    time: number;
    positions: Float32Array;
    normals: Float32Array;
}

/** Numbers per vertex that colours show. */
export type FieldName = "none" | "stretch" | "curvature" | "speed" | "distance";
