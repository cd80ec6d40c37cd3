// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The gallery: what can be entered, by group, each with a picture and what to notice. An entry is
// opened by the words of an address (docs/page.md, "Addresses"), and its picture is drawn by the
// same words and some more: `make gallery` writes them into the folder `pictures`.

export interface GalleryEntry {
    /** Of its picture. */
    id: string;
    group: GalleryGroup;
    title: string;
    /** What to notice. */
    line: string;
    /** Words of an address that open it. */
    query: string;
    /** Further words, for the picture: its time and camera. */
    picture: string;
}

/** In this order. */
export const galleryGroups = [
    "Garments",
    "Contact",
    "Fabrics",
    "Methods compared",
    "Papers",
] as const;
export type GalleryGroup = (typeof galleryGroups)[number];

type Row = [id: string, title: string, query: string, picture: string, line: string];

const rows: Record<GalleryGroup, Row[]> = {
    Garments: [
        [
            "dress",
            "Dress",
            "scene=garment:dress",
            "time=1.75&near&zoom=0.84",
            "The hem lags behind the hips, and the legs never come through.",
        ],
        [
            "pleated_skirt",
            "Pleated skirt",
            "scene=garment:pleated_skirt&clip=turn",
            "time=1.2&near&zoom=0.84&colour=%237b4f78",
            "Pleats are part of the pattern: they open in the turn and close again.",
        ],
        [
            "skirt",
            "Skirt",
            "scene=garment:skirt",
            "time=1.75&near&zoom=0.84&colour=%235d7a5a",
            "Two panels and a waistband: pull the hem, and it falls back.",
        ],
        [
            "tshirt",
            "T-shirt",
            "scene=garment:tshirt",
            "time=1.75&near&zoom=0.84&colour=%233f6f9f",
            "Creases begin at the armpits, where cut and body disagree.",
        ],
        [
            "trousers",
            "Trousers",
            "scene=garment:trousers&clip=squat",
            "time=1.1&near&zoom=0.84&colour=%234a5568",
            "Deep bends of the knee: cloth is squeezed between thigh and calf.",
        ],
        [
            "jacket",
            "Jacket",
            "scene=garment:jacket",
            "time=1.75&near&zoom=0.84&colour=%23a8843f",
            "Open in front: the two edges move on their own.",
        ],
        [
            "cape_garment",
            "Cape",
            "scene=garment:cape",
            "time=1.75&near&zoom=0.84&colour=%238c2f39",
            "It hangs by the shoulders alone, and swings with every step.",
        ],
        [
            "layers",
            "Three layers",
            "scene=garment:tshirt,trousers,jacket",
            "time=1.2&near&zoom=0.84&colour=%23a8843f",
            "T-shirt, trousers and jacket: none comes through the next.",
        ],
        [
            "detail_skirt",
            "Learned wrinkles",
            "scene=detail_skirt",
            "time=1.6&near&zoom=0.84&colour=%235d7a5a",
            "A coarse skirt is simulated; its fine folds are learned. Compare “As simulated” in Detail.",
        ],
    ],
    Contact: [
        [
            "rotating_sphere",
            "Turning ball",
            "scene=rotating_sphere",
            "time=5&near&turn=30,-4&zoom=0.72",
            "Friction takes the cloth along, and it winds itself up.",
        ],
        [
            "needles",
            "Needles",
            "scene=needles",
            "time=0.7&near&turn=10,1&zoom=0.8&colour=%233f6f9f",
            "Nine points, each thinner than a triangle: none goes through.",
        ],
        [
            "funnel",
            "Funnel",
            "scene=funnel",
            "time=2.2&near&turn=20,6&zoom=0.8",
            "It crumples into the throat: cloth against itself in many layers.",
        ],
        [
            "heap",
            "Heap",
            "scene=heap",
            "time=2.5&near&turn=20,8&zoom=0.75&colour=%23486a8a",
            "Sheets fall on each other and come to rest, held by friction.",
        ],
        [
            "cape",
            "Cape on a walker",
            "scene=cape",
            "time=1.7&near&turn=-35,4&zoom=0.72&colour=%238c2f39",
            "Capsules walk, turn on the spot and come back; the cape follows.",
        ],
        [
            "capsule",
            "Fast projectile",
            "scene=capsule",
            "time=1.22&near&turn=35,4&zoom=0.72",
            "A capsule flies into a curtain at 20 m/s, half a metre from step to step.",
        ],
        [
            "tangled",
            "Tangled at the start",
            "scene=tangled",
            "time=1.5&near&turn=25,6&zoom=0.8&colour=%23c8963c",
            "Two sheets begin crossed through each other and come apart.",
        ],
        [
            "breathing",
            "Breathing body",
            "scene=breathing",
            "time=2.2&near&turn=0,4&zoom=0.72&colour=%23c8963c",
            "A body that changes its shape lifts and lowers what lies on it.",
        ],
        [
            "ribbon",
            "Twisted ribbon",
            "scene=ribbon",
            "time=6&near&turn=15,6&zoom=0.8",
            "Three turns at each end: it coils without passing through itself.",
        ],
        [
            "moving_pins",
            "Shaken cloth",
            "scene=moving_pins",
            "time=2.2&near&turn=20,4&zoom=0.72&colour=%233f6f9f",
            "Two held corners are carried and turned, and the rest follows.",
        ],
        [
            "plane",
            "A sheet on the floor",
            "scene=plane",
            "time=1.5&near&turn=20,12&zoom=0.72",
            "It lands a little askew, and air and friction bring it to rest.",
        ],
        [
            "closing",
            "Buttoned front",
            "scene=closing",
            "time=2.2&near&turn=-10,5&zoom=0.75&colour=%23486a8a",
            "One half is simulated; the other is its mirror image, and they lie over each other.",
        ],
        [
            "sabre",
            "Two cuts",
            "scene=sabre",
            "time=1.7&near&turn=-25,4&zoom=0.8&colour=%23a23b3b",
            "A blade cuts satin twice; every edge of the cut folds and swings.",
        ],
    ],
    Fabrics: [
        [
            "fabrics",
            "Fabrics side by side",
            "scene=fabrics",
            "time=1&near&turn=-12,0&zoom=0.7",
            "The same disc over the same ball, named: weight and bending length make the folds.",
        ],
        [
            "disc",
            "Hung by its middle",
            "scene=disc",
            "time=2.5&near&turn=20,2&zoom=0.72",
            "Choose another fabric and count its folds: stiff cloth has few.",
        ],
        [
            "triangles",
            "Warp and weft",
            "scene=triangles",
            "time=1&near&turn=25,4&zoom=0.7&field=stretch",
            "Twice as stiff one way as the other: the colours show where it stretches.",
        ],
        [
            "outline",
            "Cut with a hole",
            "scene=outline",
            "time=1&near&turn=20,4&zoom=0.72",
            "Curved edges and holes are meshed as they are drawn.",
        ],
        [
            "flag",
            "Flag",
            "scene=flag",
            "time=2&near&turn=-25,4&zoom=0.62",
            "Even wind; the waves are the cloth's own.",
        ],
        [
            "storm",
            "Storm",
            "scene=storm",
            "time=3&near&turn=-20,4&zoom=0.62&colour=%23a23b3b",
            "Gusts and turbulence that differ from place to place.",
        ],
        [
            "washing",
            "Washing line",
            "scene=washing",
            "time=3.3&near&turn=25,4&zoom=0.8",
            "Several pieces in one wind: heavier ones answer later.",
        ],
        [
            "curtain",
            "Curtain",
            "scene=curtain",
            "time=2.4&near&turn=25,4&zoom=0.72",
            "A breeze comes and goes; folds run down from the rail.",
        ],
        [
            "detail_swing",
            "Swing with learned folds",
            "scene=detail_swing",
            "time=2.4&near&turn=20,4&zoom=0.72&colour=%235d7a5a",
            "256 squares are simulated, and many more are shown.",
        ],
        [
            "crossed",
            "Two corners",
            "scene=crossed",
            "time=0.8&near&turn=25,4&zoom=0.72&colour=%23c8963c",
            "The plainest of all: let it fall, grab it, pin it, let it go.",
        ],
        [
            "net",
            "Net",
            "scene=net&surface=wireframe",
            "time=1&near&turn=25,4&zoom=0.72",
            "No bending at all: what cloth would be without it.",
        ],
        [
            "rope",
            "Rope",
            "scene=rope",
            "time=0.6&near&turn=10,2&zoom=0.72",
            "A thread alone, 100 segments, that whips when it has fallen.",
        ],
    ],
    "Methods compared": [
        [
            "demo",
            "Quality and cost",
            "scene=demo&methods=q1,q2,q4,implicit&field=distance",
            "time=0.75&zoom=0.6",
            "Four steps in time: milliseconds above, distance to the implicit method in colour.",
        ],
        [
            "swing",
            "Explicit and implicit",
            "scene=swing&methods=q4,symplectic",
            "time=0.6&zoom=0.6&colour=%233f6f9f",
            "Explicit steps must be short: compare the milliseconds.",
        ],
        [
            "head_to_head",
            "Weft and XPBD",
            "scene=curtain&versus=xpbd&budget=4",
            "time=2.4&zoom=0.95",
            "Four milliseconds a step for each: compare how far the cloth is stretched.",
        ],
        [
            "budget",
            "Two milliseconds a step",
            "scene=budget&methods=scene,implicit",
            "time=1.6&zoom=0.6",
            "A step that keeps a time budget, beside one that takes what it needs.",
        ],
        [
            "sphere_springs",
            "Springs",
            "scene=sphere_springs&field=stretch",
            "time=2&near&turn=30,2&zoom=0.72",
            "Springs along edges: compare its folds with those of triangles.",
        ],
        [
            "sphere_triangles",
            "Triangles",
            "scene=sphere_triangles&field=stretch",
            "time=2&near&turn=30,2&zoom=0.72",
            "The same cloth by the strain of its triangles.",
        ],
    ],
    Papers: [
        [
            "scalable",
            "Large cloth by relaxation",
            "scene=scalable",
            "time=20&near&turn=25,4&zoom=0.72&colour=%234a5568",
            "Kim 2006: a few sweeps over 79 × 79 squares, in steps of a quarter of a second.",
        ],
        [
            "woven",
            "Warp, weft and the area between",
            "scene=woven",
            "time=1&near&turn=25,4&zoom=0.6",
            "Threads are stretched and bent; shear is the area between them.",
        ],
        [
            "thesis_ier",
            "Edges rotated",
            "scene=thesis_ier",
            "time=1&near&turn=25,4&zoom=0.72&colour=%235d7a5a",
            "Choi 2013: an edge turns on as it turned in the last step.",
        ],
        [
            "thesis_ivt",
            "Vertices predicted",
            "scene=thesis_ivt",
            "time=1&near&turn=25,4&zoom=0.72&colour=%235d7a5a",
            "Choi 2013: an edge points to where its ends are going.",
        ],
        [
            "sphere_ier",
            "Edges rotated, on a ball",
            "scene=sphere_ier",
            "time=2&near&turn=30,2&zoom=0.72&colour=%234a5568",
            "One solve a step, with contact: springs that turn with their edges.",
        ],
        [
            "sphere_ivt",
            "Vertices predicted, on a ball",
            "scene=sphere_ivt",
            "time=2&near&turn=30,2&zoom=0.72&colour=%234a5568",
            "The same with edges between predicted vertices.",
        ],
        [
            "sphere_iar",
            "Axes of triangles rotated",
            "scene=sphere_iar",
            "time=2&near&turn=30,2&zoom=0.72&colour=%237b4f78",
            "Triangles in place of springs; their axes turn on.",
        ],
        [
            "sphere_triangle_ivt",
            "Triangles of predicted vertices",
            "scene=sphere_triangle_ivt",
            "time=2&near&turn=30,2&zoom=0.72&colour=%237b4f78",
            "Triangles whose axes come from where vertices are going.",
        ],
    ],
};

export const gallery: GalleryEntry[] = galleryGroups.flatMap((group) =>
    rows[group].map(([id, title, query, picture, line]) => ({
        id,
        group,
        title,
        line,
        query,
        picture,
    })),
);

const pictures = import.meta.glob<string>("./pictures/*.webp", {
    query: "?url&no-inline",
    import: "default",
    eager: true,
});

/** Where its picture is loaded from; undefined where it was not drawn. */
export function pictureOf({ id }: GalleryEntry): string | undefined {
    return pictures[`./pictures/${id}.webp`];
}
