// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A box as a file of several kinds.

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]);
const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
];

function places(x: number, y: number, z: number): number[][] {
    return corners.map(([a, b, c]) => [x * a!, y * b!, z * c!]);
}

export function objOfBox(x: number, y: number, z: number): string {
    const vertices = places(x, y, z).map((place) => `v ${place.join(" ")}`);
    const faces = quads.map((quad) => `f ${quad.map((v) => v + 1).join(" ")}`);
    return [...vertices, ...faces, ""].join("\n");
}

export function plyOfBox(x: number, y: number, z: number): string {
    const head = ["ply", "format ascii 1.0", "element vertex 8"];
    const axes = ["x", "y", "z"].map((axis) => `property float ${axis}`);
    const list = "property list uchar int vertex_indices";
    const vertices = places(x, y, z).map((place) => place.join(" "));
    const faces = quads.map((quad) => `4 ${quad.join(" ")}`);
    return [...head, ...axes, "element face 6", list, "end_header", ...vertices, ...faces, ""].join(
        "\n",
    );
}

export function fbxOfBox(x: number, y: number, z: number): string {
    const vertices = places(x, y, z).flat();
    const polygons = quads.flatMap(([a, b, c, d]) => [a, b, c, -d! - 1]);
    return `; FBX 7.3.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7300
}
Objects:  {
	Geometry: 1000, "Geometry::box", "Mesh" {
		Vertices: *${vertices.length} {
			a: ${vertices.join(",")}
		}
		PolygonVertexIndex: *${polygons.length} {
			a: ${polygons.join(",")}
		}
		GeometryVersion: 124
	}
	Model: 2000, "Model::box", "Mesh" {
		Version: 232
	}
}
Connections:  {
	C: "OO",2000,0
	C: "OO",1000,2000
}
`;
}

/** Every triangle has corners of its own, as exporters write them. */
export function glbOfBox(x: number, y: number, z: number): Uint8Array {
    const at = places(x, y, z);
    const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
    const numbers = Float32Array.from(triangles.flatMap((v) => at[v!]!));
    const json = JSON.stringify({
        asset: { version: "2.0" },
        buffers: [{ byteLength: numbers.byteLength }],
        bufferViews: [{ buffer: 0, byteLength: numbers.byteLength }],
        accessors: [
            {
                bufferView: 0,
                componentType: 5126,
                count: numbers.length / 3,
                type: "VEC3",
                min: [0, 0, 0],
                max: [x, y, z],
            },
        ],
        materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
        textures: [{ source: 0 }],
        images: [{ uri: "missing.png" }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
        nodes: [{ mesh: 0 }],
        scenes: [{ nodes: [0] }],
        scene: 0,
    });
    const text = new TextEncoder().encode(json.padEnd(4 * Math.ceil(json.length / 4)));
    const bytes = new Uint8Array(12 + 8 + text.length + 8 + numbers.byteLength);
    const view = new DataView(bytes.buffer);
    [0x46546c67, 2, bytes.length, text.length, 0x4e4f534a].forEach((word, i) =>
        view.setUint32(4 * i, word, true),
    );
    bytes.set(text, 20);
    view.setUint32(20 + text.length, numbers.byteLength, true);
    view.setUint32(24 + text.length, 0x004e4942, true);
    bytes.set(new Uint8Array(numbers.buffer), 28 + text.length);
    return bytes;
}
