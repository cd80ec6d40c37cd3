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
    /** Words of an address that open it: as its picture, but for the moment. */
    query: string;
    /** Further words, for the picture: its time, and that the camera is near. */
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
            "time=1.75&near",
            "The hem lags behind the hips, and the legs never come through.",
        ],
        [
            "pleated_skirt",
            "Pleated skirt",
            "scene=garment:pleated_skirt&clip=turn&fabric=silk_charmeuse",
            "time=1.2&near",
            "Pleats are part of the pattern: they open in the turn and close again.",
        ],
        [
            "skirt",
            "Skirt",
            "scene=garment:skirt&fabric=linen",
            "time=1.75&near",
            "Two panels and a waistband: pull the hem, and it falls back.",
        ],
        [
            "tshirt",
            "T-shirt",
            "scene=garment:tshirt&fabric=cotton_jersey",
            "time=1.75&near",
            "Creases begin at the armpits, where cut and body disagree.",
        ],
        [
            "trousers",
            "Trousers",
            "scene=garment:trousers&clip=squat&fabric=denim",
            "time=1.1&near",
            "Deep bends of the knee: cloth is squeezed between thigh and calf.",
        ],
        [
            "jacket",
            "Jacket",
            "scene=garment:jacket&fabric=wool_tropical",
            "time=1.75&near",
            "Open in front: the two edges move on their own.",
        ],
        [
            "cape_garment",
            "Cape",
            "scene=garment:cape&fabric=wool_suiting",
            "time=1.75&near",
            "It hangs by the shoulders alone, and swings with every step.",
        ],
        [
            "layers",
            "Three layers",
            "scene=garment:tshirt,trousers,jacket&fabric=cotton_jersey,denim,wool_tropical",
            "time=1.2&near",
            "T-shirt, trousers and jacket: none comes through the next.",
        ],
        [
            "detail_skirt",
            "Learned wrinkles",
            "scene=detail_skirt&fabric=wool_tropical",
            "time=1.6&near",
            "A coarse skirt is simulated; its fine folds are learned. Compare “As simulated” in Detail.",
        ],
    ],
    Contact: [
        [
            "rotating_sphere",
            "Turning ball",
            "scene=rotating_sphere&turn=20,-2&fabric=silk_charmeuse",
            "time=5&near",
            "Friction takes the cloth along, and it winds itself up.",
        ],
        [
            "needles",
            "Needles",
            "scene=needles&turn=10,1&fabric=cotton_jersey",
            "time=0.7&near",
            "Nine points, each thinner than a triangle: none goes through.",
        ],
        [
            "funnel",
            "Funnel",
            "scene=funnel&turn=10,14&fabric=polyester_satin",
            "time=2.2&near",
            "It crumples into the throat: cloth against itself in many layers.",
        ],
        [
            "heap",
            "Heap",
            "scene=heap&turn=20,6",
            "time=2.5&near",
            "Sheets fall on each other and come to rest, held by friction.",
        ],
        [
            "cape",
            "Cape on a walker",
            "scene=cape&turn=105,4&fabric=polyester_satin",
            "time=1.7&near",
            "Capsules walk, turn on the spot and come back; the cape follows.",
        ],
        [
            "capsule",
            "Fast projectile",
            "scene=capsule&turn=25,2&fabric=denim",
            "time=1.22&near",
            "A capsule flies into a curtain at 20 m/s, half a metre from step to step.",
        ],
        [
            "tangled",
            "Tangled at the start",
            "scene=tangled&turn=25,6",
            "time=1.5&near",
            "Two sheets begin crossed through each other and come apart.",
        ],
        [
            "breathing",
            "Breathing body",
            "scene=breathing&fabric=cotton_jersey",
            "time=2.2&near",
            "A body that changes its shape lifts and lowers what lies on it.",
        ],
        [
            "ribbon",
            "Twisted ribbon",
            "scene=ribbon&turn=15,6&fabric=polyester_satin",
            "time=6&near",
            "Three turns at each end: it coils without passing through itself.",
        ],
        [
            "moving_pins",
            "Shaken cloth",
            "scene=moving_pins&turn=10,2&fabric=cotton_jersey",
            "time=2.2&near",
            "Two held corners are carried and turned, and the rest follows.",
        ],
        [
            "plane",
            "A sheet on the floor",
            "scene=plane&turn=20,8&fabric=linen",
            "time=1.5&near",
            "It lands a little askew, and air and friction bring it to rest.",
        ],
        [
            "closing",
            "Buttoned front",
            "scene=closing&turn=-20,4&fabric=wool_tropical",
            "time=0.4&near",
            "One half is simulated; the other is its mirror image, and they lie over each other.",
        ],
        [
            "sabre",
            "Two cuts",
            "scene=sabre&turn=-25,4",
            "time=1.7&near",
            "A blade cuts satin twice; every edge of the cut folds and swings.",
        ],
    ],
    Fabrics: [
        [
            "fabrics",
            "Fabrics side by side",
            "scene=fabrics&turn=-12,4",
            "time=1&near",
            "The same disc over the same ball, named: weight and bending length make the folds.",
        ],
        [
            "disc",
            "Hung by its middle",
            "scene=disc&fabric=wool_tropical",
            "time=2.5&near",
            "Choose another fabric and count its folds: stiff cloth has few.",
        ],
        [
            "triangles",
            "Warp and weft",
            "scene=triangles&turn=10,2&field=stretch",
            "time=1&near",
            "Twice as stiff one way as the other: the colours show where it stretches.",
        ],
        [
            "outline",
            "Cut with a hole",
            "scene=outline&fabric=denim",
            "time=1&near",
            "Curved edges and holes are meshed as they are drawn.",
        ],
        [
            "flag",
            "Flag",
            "scene=flag&turn=-25,2&colour=%23e0631c",
            "time=2&near",
            "Even wind; the waves are the cloth's own.",
        ],
        [
            "storm",
            "Storm",
            "scene=storm&turn=-25,2",
            "time=3&near",
            "Gusts and turbulence that differ from place to place.",
        ],
        [
            "washing",
            "Washing line",
            "scene=washing&turn=10,2&fabric=linen",
            "time=3.3&near",
            "A woven sheet on a line: gusts lift it, and it falls back.",
        ],
        [
            "tent",
            "Tent in gusts",
            "scene=tent&turn=-35,4&colour=%23b4552d",
            "time=3&near",
            "Canvas over a ridge, held by four ropes: gusts belly one side, and the ropes give.",
        ],
        [
            "curtain",
            "Curtain",
            "scene=curtain&turn=10,2&fabric=linen",
            "time=2.4&near",
            "A breeze comes and goes: it swells, swings back, and comes to rest.",
        ],
        [
            "detail_swing",
            "Swing with learned folds",
            "scene=detail_swing",
            "time=2.4&near",
            "256 squares are simulated, and many more are shown.",
        ],
        [
            "crossed",
            "Two corners",
            "scene=crossed",
            "time=0.8&near",
            "The plainest of all: let it fall, grab it, pin it, let it go.",
        ],
        [
            "net",
            "Net",
            "scene=net&surface=wireframe",
            "time=1&near",
            "No bending at all: what cloth would be without it.",
        ],
        [
            "rope",
            "Rope",
            "scene=rope",
            "time=0.6&near",
            "A thread alone, 100 segments, that whips when it has fallen.",
        ],
    ],
    "Methods compared": [
        [
            "demo",
            "Quality and cost",
            "scene=demo&methods=q1,q2,q4,implicit&field=distance",
            "time=0.75&near",
            "Four steps in time: milliseconds above, distance to the implicit method in colour.",
        ],
        [
            "swing",
            "Explicit and implicit",
            "scene=swing&methods=q4,symplectic",
            "time=0.6&near",
            "Explicit steps must be short: compare the milliseconds.",
        ],
        [
            "head_to_head",
            "Weft and XPBD",
            "scene=curtain&versus=xpbd&budget=4",
            "time=2.4&near",
            "Four milliseconds a step for each: compare how far the cloth is stretched.",
        ],
        [
            "budget",
            "Two milliseconds a step",
            "scene=budget&methods=scene,implicit",
            "time=1.6&near",
            "A step that keeps a time budget, beside one that takes what it needs.",
        ],
        [
            "sphere_springs",
            "Springs",
            "scene=sphere_springs&turn=20,0&field=stretch",
            "time=2&near",
            "Springs along edges: compare its folds with those of triangles.",
        ],
        [
            "sphere_triangles",
            "Triangles",
            "scene=sphere_triangles&turn=20,0&field=stretch",
            "time=2&near",
            "The same cloth by the strain of its triangles.",
        ],
    ],
    Papers: [
        [
            "scalable",
            "Large cloth by relaxation",
            "scene=scalable&colour=%234a5568",
            "time=40&near",
            "Kim 2006: a few sweeps over 79 × 79 squares, in steps of a quarter of a second.",
        ],
        [
            "woven",
            "Warp, weft and the area between",
            "scene=woven&colour=%23b3683c",
            "time=1&near",
            "Threads are stretched and bent; shear is the area between them.",
        ],
        [
            "thesis_ier",
            "Edges rotated",
            "scene=thesis_ier&colour=%235d7a5a",
            "time=0.6&near",
            "Choi 2013: an edge turns on as it turned in the last step.",
        ],
        [
            "thesis_ivt",
            "Vertices predicted",
            "scene=thesis_ivt&colour=%235d7a5a",
            "time=0.6&near",
            "Choi 2013: an edge points to where its ends are going.",
        ],
        [
            "sphere_ier",
            "Edges rotated, on a ball",
            "scene=sphere_ier&turn=20,0&colour=%234a5568",
            "time=2&near",
            "One solve a step, with contact: springs that turn with their edges.",
        ],
        [
            "sphere_ivt",
            "Vertices predicted, on a ball",
            "scene=sphere_ivt&turn=20,0&colour=%234a5568",
            "time=2&near",
            "The same with edges between predicted vertices.",
        ],
        [
            "sphere_iar",
            "Axes of triangles rotated",
            "scene=sphere_iar&turn=20,0&colour=%237b4f78",
            "time=2&near",
            "Triangles in place of springs; their axes turn on.",
        ],
        [
            "sphere_triangle_ivt",
            "Triangles of predicted vertices",
            "scene=sphere_triangle_ivt&turn=20,0&colour=%237b4f78",
            "time=2&near",
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
