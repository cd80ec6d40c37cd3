// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The stage: a canvas with one to four panes, one camera for all of them, light and ground. It
// draws only when asked to.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { ClothView } from "./cloth";
import { SmoothEdges } from "./edges";
import { Ground } from "./ground";
import type { Insets, Rect, Theme } from "../layout";
import { Casters } from "./light/casters";
import { Footprint } from "./light/footprint";
import { Lighting, TOWARDS_KEY } from "./light/light";
import { keepLit } from "./light/lit";
import { Occlusion } from "./light/occlusion";
import { CAPTION, contains, layOut, NO_INSETS, type Pane } from "./panes";
import { type Hit, pickNearby, pickTriangle } from "./pick";
import type { Pace } from "./light/ladder";
import { findPower, makePace, power } from "./light/power";
import { keepAbove } from "./camera/above";
import { Chase, type Following } from "./camera/chase";
import { FIELD_OF_VIEW, distanceFor, type Fit, fitTo } from "./camera/fit";
import { Glide } from "./camera/glide";
import { SlowOrbit } from "./camera/orbit";
import { useTones } from "./light/studio";
import { Settle } from "./camera/settle";
import { boxOfMost } from "./camera/stays";
import { viewpointOf, type Viewpoint } from "./camera/viewpoint";
import {
    outermost,
    pointsOf,
    type Room,
    roomOfBox,
    roomOfBoxes,
    roomOfCloth,
    roomOfPlaces,
    type Surroundings,
} from "./camera/room";

export type Point = [number, number, number];

export interface Pick {
    pane: number;
    /** -1: not the cloth, but a body. */
    vertex: number;
    /** -1: not a body. */
    body: number;
    /** The place on the cloth, or beside it the vertex; or the place on the body. */
    point: Point;
}

/** There is no WebGL 2 to be had. */
export class NoWebGL extends Error {
    /** `reason`: what the browser says about it; it may be empty. */
    constructor(readonly reason: string) {
        super("This page draws with WebGL 2, and this browser does not offer it.");
        this.name = "NoWebGL";
    }
}

const PICK_REACH = 14; // CSS pixels
const MOST_PIXELS = 2; // per CSS pixel; more cost time and show nothing
const FLOWN = 1000; // times the room: nobody can follow there
const WEARER = 0.25; // of the cloth's size: bodies as near as that go where it goes
const ABOVE = 0.03; // of the room: as near as that may the camera come to the floor
const NEAR = 0.4; // of the way to all that is there, at what is looked at closely
const WIDEST = 2.5; // times as far as the room needs: what goes farther is followed, or gone
const NEARER = 0.9; // of the way, or less: only for that does the camera go after what has settled
const SETTLING = 1.8; // seconds that it takes
const STEP_BACK = 0.3; // seconds
const CLOSE = 0.11; // of the room's radius: what is as near as that takes light away

const degrees = THREE.MathUtils.degToRad;
// From the cloth towards the camera, at the start: a little from above and from the right.
const START = new THREE.Vector3().setFromSphericalCoords(1, degrees(73), degrees(23));

function makeRenderer(canvas: HTMLCanvasElement): THREE.WebGLRenderer {
    const context = canvas.getContext("webgl2", {
        antialias: power().antialias,
        alpha: !power().antialias, // SmoothEdges copies it, many times as fast with it
        powerPreference: "high-performance",
    });
    if (!context) throw new NoWebGL("");
    const renderer = new THREE.WebGLRenderer({ canvas, context });
    renderer.debug.checkShaderErrors = import.meta.env.DEV; // waits for the graphics processor
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    useTones(renderer);
    renderer.setScissorTest(true);
    return renderer;
}

function makeControls(camera: THREE.Camera, canvas: HTMLCanvasElement): OrbitControls {
    const controls = new OrbitControls(camera, canvas);
    controls.enableDamping = true;
    controls.dampingFactor = 0.12;
    controls.rotateSpeed = 0.8;
    controls.zoomSpeed = 1.2;
    return controls;
}

export class Stage {
    private readonly canvas: HTMLCanvasElement;
    private readonly renderer: THREE.WebGLRenderer;
    private readonly scene = new THREE.Scene();
    private readonly camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW);
    private readonly controls: OrbitControls;
    private readonly lighting: Lighting;
    private readonly ground: Ground;
    private readonly casters = new Casters();
    private readonly footprint: Footprint;
    private readonly occlusion: Occlusion;
    private readonly edges: SmoothEdges;
    private readonly pace: Pace;
    /** Seconds of what is shown. */
    time = 0;
    /** All pixels are drawn, however long that takes. */
    filmed = false;
    /** Told when the graphics processor is lost, and with false when it is back. */
    onLost: (lost: boolean) => void = () => {};
    private drawnLast = false;
    private lastDraw = 0;
    private readonly chase: Chase;
    private readonly glide: Glide;
    /** While the camera glides to all that is there, it follows nothing. */
    private gathers = false;
    private readonly settle = new Settle();
    private readonly slowOrbit: SlowOrbit;
    private readonly observer: ResizeObserver;
    private readonly ray = new THREE.Ray();
    private readonly drag = { plane: new THREE.Plane(), pane: -1 };

    private width = 1;
    private height = 1;
    private insets = NO_INSETS;
    private captionRoom = CAPTION;
    private paneCount = 1;
    private panes: Pane[] = layOut(1, 1, 1, NO_INSETS);
    private views: (ClothView | null)[] = [null];
    private drawnVersions: number[] = [];
    private stale = true;

    private room!: Room;
    /** That the camera was put for, when what is shown was new. */
    private home!: Room;
    private roomRadius = 1;
    /** What is right for the room and the panes as they are, seen from here. */
    private fit: Fit = { target: new THREE.Vector3(), distance: 1 };
    private readonly fitFrom = START.clone();
    /** The ball that has light and shadow. */
    private readonly lit = new THREE.Sphere();

    /** `fine`: as well as it can be, however long it takes. */
    constructor(canvas: HTMLCanvasElement, fine = false) {
        const missing = findPower(fine);
        if (missing !== null) throw new NoWebGL(missing);
        this.canvas = canvas;
        this.renderer = makeRenderer(canvas);
        this.lighting = new Lighting(this.renderer, this.scene);
        this.footprint = new Footprint(power().footprint);
        this.occlusion = new Occlusion(this.renderer);
        this.edges = new SmoothEdges(this.renderer);
        this.ground = new Ground(this.footprint);
        this.pace = makePace(fine);
        this.scene.add(this.lighting.object, this.ground.object);
        this.controls = makeControls(this.camera, canvas);
        this.controls.addEventListener("change", this.touch);
        this.chase = new Chase(this.camera, this.controls);
        this.glide = new Glide(this.camera, this.controls);
        this.slowOrbit = new SlowOrbit(this.camera, this.controls);
        this.controls.addEventListener("start", () => {
            this.chase.touch();
            this.glide.stop();
        });
        canvas.addEventListener("webglcontextlost", this.unload);
        canvas.addEventListener("webglcontextrestored", this.reload);
        this.setTheme("light");
        this.frameBox([-1, -1, -1], [1, 1, 1]);
        this.takeSize();
        this.observer = new ResizeObserver(() => this.takeSize());
        this.observer.observe(canvas);
    }

    dispose(): void {
        this.observer.disconnect();
        this.canvas.removeEventListener("webglcontextlost", this.unload);
        this.canvas.removeEventListener("webglcontextrestored", this.reload);
        this.controls.dispose();
        this.lighting.dispose();
        this.ground.dispose();
        this.footprint.dispose();
        this.occlusion.dispose();
        this.edges.dispose();
        this.renderer.dispose();
    }

    // -----------------------------------------------------------------------------------------
    // What is shown

    setTheme(theme: Theme): void {
        this.lighting.setTheme(theme);
        this.ground.setTheme(theme);
        this.stale = true;
    }

    /** 1 to 4. Views stay in their panes; those of panes that go are shown no longer. */
    setPanes(count: number): void {
        this.paneCount = Math.min(Math.max(Math.round(count), 1), 4);
        for (let i = this.paneCount; i < this.views.length; i++) this.setView(i, null);
        this.views.length = this.paneCount;
        for (let i = 0; i < this.paneCount; i++) this.views[i] ??= null;
        this.layOutPanes();
    }

    /** The stage does not dispose of views. */
    setView(pane: number, view: ClothView | null): void {
        this.views[pane]?.object.removeFromParent();
        this.views[pane] = view;
        if (view) this.scene.add(view.object);
        this.stale = true;
    }

    /** What covers the edges of the canvas, in CSS pixels; the panes share the rest. */
    setInsets(insets: Insets): void {
        this.insets = { ...insets };
        this.layOutPanes();
    }

    /** Pixels at the top of each pane, where there are several. */
    setCaptionRoom(room: number): void {
        if (room === this.captionRoom) return;
        this.captionRoom = room;
        this.layOutPanes();
    }

    /** The pane at a place in the window; -1 for none. */
    paneAt(clientX: number, clientY: number): number {
        const [x, y] = this.onCanvas(clientX, clientY);
        const pane = this.panes.findIndex(({ drawn }) => contains(drawn, x, y));
        return pane < this.paneCount ? pane : -1;
    }

    /** The part of a pane that nothing covers, in CSS pixels of the canvas. */
    paneRect(pane: number): Rect {
        return { ...this.panes[pane]!.whole };
    }

    private onCanvas(clientX: number, clientY: number): [number, number] {
        const { left, top } = this.canvas.getBoundingClientRect();
        return [clientX - left, clientY - top];
    }

    private takeSize(): void {
        this.width = Math.max(this.canvas.clientWidth, 1);
        this.height = Math.max(this.canvas.clientHeight, 1);
        this.layOutPanes();
    }

    private layOutPanes(): void {
        const { paneCount, width, height, insets, captionRoom } = this;
        this.panes = layOut(paneCount, width, height, insets, captionRoom);
        this.refit(this.panes[0]!.free);
        this.stale = true;
    }

    // -----------------------------------------------------------------------------------------
    // Camera

    /** Look at a box of positions, with room for a cloth that fills it to fall and swing. */
    frameBox(min: Point, max: Point): void {
        this.showRoom(roomOfBox(new THREE.Vector3(...min), new THREE.Vector3(...max)));
    }

    /** The same with pins (not 0) and bodies known, which say better where the cloth may get to. */
    frameCloth(
        positions: Float32Array,
        pinned: Uint8Array | null,
        around?: Surroundings | null,
    ): void {
        this.showRoom(roomOfCloth(positions, pinned, around ?? undefined));
    }

    /** The same for a motion that is known: boxes of what is there at several moments. */
    frameMotion(moments: THREE.Box3[][], floor: number | null): void {
        this.showRoom(roomOfBoxes(moments, floor));
    }

    /** The same for what is there now, and no more. */
    frameNow(): void {
        const room = this.roomNow(null);
        if (room) this.showRoom(room);
    }

    /** Look at all that is there now, from where the camera is turned to. */
    frameAgain(): void {
        const room = this.roomNow(this.ground.height);
        if (!room) return;
        const [place, target] = [this.camera.position.clone(), this.controls.target.clone()];
        this.showRoom(room, place.clone().sub(target).normalize());
        const goal = this.controls.target.clone();
        this.camera.position.copy(place);
        this.controls.target.copy(target);
        this.glide.begin(goal, this.fit.distance);
        this.gathers = true;
    }

    /** `floor`: its height where it is no body, null: below all that is there. null: nothing is there, or
     *  it flew away. */
    private roomNow(floor: number | null): Room | null {
        const places = this.placesNow();
        if (places.length === 0) return null;
        const plane = this.views[0]?.bodies?.floor ?? null;
        const lowest = Math.min(...places.map(({ y }) => y));
        return roomOfPlaces(places, plane ?? floor ?? lowest - 0.01 * this.roomRadius);
    }

    /** What the panes show: cloths, and bodies near to them. */
    private placesNow(): THREE.Vector3[] {
        const farthest = FLOWN * this.roomRadius;
        return this.views.flatMap((view) => {
            if (!view || !(view.box.min.distanceTo(view.box.max) < farthest)) return [];
            return [...pointsOf(view.positions), ...(view.bodies?.placesNear(view.box) ?? [])];
        });
    }

    /** Look closely at what is there; where that is nothing, or seen closely already, at all. */
    focus(clientX: number, clientY: number): void {
        const found = this.pickAny(clientX, clientY);
        const { minDistance, target } = this.controls;
        const distance = this.camera.position.distanceTo(target);
        const near = Math.max(minDistance, NEAR * this.fit.distance);
        if (!found || distance < 1.1 * near) return this.frameAgain();
        this.chase.touch();
        this.gathers = false;
        this.glide.begin(new THREE.Vector3(...found.point), near);
        this.stale = true;
    }

    /** Whether the camera goes around slowly while something moves. */
    setSlowOrbit(on: boolean): void {
        this.slowOrbit.set(on);
    }

    private keepAbove(): void {
        const gap = ABOVE * this.roomRadius;
        keepAbove(this.camera, this.controls, this.ground.height, gap);
    }

    /** Whether the floor has dots, by which one sees somebody walk. */
    setDots(on: boolean): void {
        this.ground.setDots(on);
        this.stale = true;
    }

    /** Whether the camera goes along with the cloth. */
    setFollowing(following: Following): void {
        this.chase.setMode(following);
        this.stale = true;
    }

    /** Whether the pointer moves the camera. */
    orbit(enabled: boolean): void {
        this.controls.enabled = enabled;
    }

    /** All that is to be seen, from another direction than usual, by degrees. */
    lookFrom(right: number, up: number): void {
        if (right === 0 && up === 0) return;
        const place = new THREE.Spherical().setFromVector3(START);
        place.theta += degrees(right);
        place.phi -= degrees(up);
        place.makeSafe();
        this.placeCamera(this.room, new THREE.Vector3().setFromSpherical(place));
        this.keepAbove();
        this.stale = true;
    }

    /** Turn the camera around the cloth by degrees: to the right, and up. */
    turn(right: number, up: number): void {
        if (right !== 0 || up !== 0) this.chase.touch();
        const from = this.camera.position.clone().sub(this.controls.target);
        const place = new THREE.Spherical().setFromVector3(from);
        place.theta += degrees(right);
        place.phi -= degrees(up);
        place.makeSafe();
        this.camera.position.setFromSpherical(place).add(this.controls.target);
        this.keepAbove();
        this.stale = true;
    }

    /** Go nearer (below 1) or farther away (above 1). */
    zoom(factor: number): void {
        if (factor !== 1) this.chase.touch();
        this.glide.stop();
        const { target, minDistance, maxDistance } = this.controls;
        const from = this.camera.position.clone().sub(target);
        const distance = THREE.MathUtils.clamp(from.length() * factor, minDistance, maxDistance);
        this.camera.position.copy(target).add(from.setLength(distance));
        this.stale = true;
    }

    /** Shift what the camera looks at, and the camera with it, by metres. */
    shift(by: [number, number, number]): void {
        if (by.some((part) => part !== 0)) this.chase.touch();
        this.controls.target.add(new THREE.Vector3(...by));
        this.camera.position.add(new THREE.Vector3(...by));
        this.stale = true;
    }

    /** Where somebody moved the camera to; null: nobody did. */
    get viewpoint(): Viewpoint | null {
        if (!this.chase.isTouched) return null;
        const fit = fitTo(this.home.places, this.direction, this.panes[0]!.free);
        const { position } = this.camera;
        const home = { ...fit, from: START };
        return viewpointOf(position, this.controls.target, this.chase.carried, home);
    }

    private readonly touch = (): void => {
        this.stale = true;
    };

    // What went down with its context is given up then: later, it would be deleted in another one.
    private readonly unload = (): void => {
        this.onLost(true);
        this.lighting.dispose();
        this.footprint.dispose();
        this.occlusion.dispose();
        this.edges.dispose();
        this.scene.traverse((object) => {
            const { geometry, material } = object as Partial<THREE.Mesh>;
            geometry?.dispose();
            for (const one of [material ?? []].flat()) one.dispose();
        });
    };

    private readonly reload = (): void => {
        this.lighting.takePower();
        this.stale = true;
        this.onLost(false);
    };

    private showRoom(room: Room, direction = START): void {
        if (direction === START) this.home = room;
        const radius = room.box.max.distanceTo(room.box.min) / 2;
        this.roomRadius = radius;
        this.controls.minDistance = 0.1 * radius;
        this.controls.maxDistance = 20 * radius;
        this.chase.forget();
        this.placeCamera(room, direction);
        this.tidyRoom();
    }

    /** Where all of a room is in the picture. */
    private placeCamera(room: Room, direction: THREE.Vector3): void {
        this.takeRoom(room, direction);
        const { target, distance } = this.fit;
        this.glide.stop();
        this.controls.target.copy(target);
        this.camera.position.copy(target).addScaledVector(this.fitFrom, distance);
        this.controls.update();
    }

    private takeRoom(room: Room, direction: THREE.Vector3): void {
        this.room = room;
        this.fitFrom.copy(direction);
        this.fit = fitTo(room.places, this.fitFrom, this.panes[0]!.free);
    }

    private get direction(): THREE.Vector3 {
        return this.camera.position.clone().sub(this.controls.target).normalize();
    }

    /** What is there begins again: floor, light and camera as they were before it moved. */
    restart(): void {
        this.chase.goBack();
        if (!this.chase.isTouched) this.placeCamera(this.home, this.direction);
        this.tidyRoom();
    }

    private tidyRoom(): void {
        const middle = this.room.box.getCenter(new THREE.Vector3());
        this.chase.goBack();
        this.settle.forget();
        this.ground.place(middle, this.room.floor, 4.5 * this.roomRadius);
        this.lit.set(middle, this.roomRadius);
        this.fitLight();
        this.stale = true;
    }

    // The camera after what goes away, the floor after the camera.
    private goAlong(seconds: number): void {
        this.slowOrbit.along(seconds);
        this.glide.along(seconds);
        this.stale ||= this.glide.active;
        if (this.glide.active && this.gathers) return;
        const box = this.clothAndWearer();
        if (!box) return;
        const { free } = this.panes[0]!;
        const moved = this.chase.along(box, this.roomRadius, free.width / free.height, seconds);
        if (this.chase.watches(this.time) && !this.glide.active) {
            this.widen(seconds);
            this.goNear();
        }
        if (!moved) return;
        const { x, z } = this.controls.target;
        this.ground.place(new THREE.Vector3(x, 0, z), this.ground.height, 4.5 * this.roomRadius);
        this.stale = true;
    }

    // Around the cloth and the bodies close to it; null where it flew apart.
    private clothAndWearer(): THREE.Box3 | null {
        const box = this.mostCloth();
        if (!box) return null;
        const size = box.min.distanceTo(box.max);
        const near = box.clone().expandByScalar(WEARER * size);
        for (const view of this.views)
            for (const body of view?.bodies?.surroundings().boxes ?? [])
                if (near.intersectsBox(body)) box.union(body);
        return box;
    }

    // Where most of the cloth is: all of it, as long as no piece flies off.
    private mostCloth(): THREE.Box3 | null {
        const box = new THREE.Box3();
        for (const view of this.views) if (view) box.union(view.box);
        const across = 2 * this.roomRadius;
        if (box.isEmpty()) return null;
        if (box.min.distanceTo(box.max) < across) return box;
        const cloths = this.views.flatMap((view) => (view ? [view.positions] : []));
        return boxOfMost(cloths, across);
    }

    /** Places there, and on bodies near to it; `reach`: times its size. */
    private mostPlaces(reach?: number): THREE.Vector3[] {
        const box = this.mostCloth();
        if (!box) return [];
        const bodies = this.views.flatMap((view) => view?.bodies?.placesNear(box, reach) ?? []);
        const cloths = this.views.flatMap((view) => (view ? pointsOf(view.positions) : []));
        return [...cloths.filter((place) => box.containsPoint(place)), ...bodies];
    }

    // In the first seconds, what grows out of the picture makes the camera step back.
    private widen(seconds: number): void {
        const { target } = this.controls;
        const places = this.mostPlaces(WEARER);
        if (places.length === 0) return;
        const before = this.camera.position.distanceTo(target);
        const needed = distanceFor(places, target, this.direction, this.panes[0]!.free);
        const follows = this.chase.follows;
        if (needed > before && !follows) this.growRoom(places);
        const goal = follows ? needed : this.fit.distance;
        if (goal <= 1.01 * before) return;
        const part = 1 - Math.exp(-seconds / STEP_BACK);
        const offset = this.camera.position.clone().sub(target);
        offset.setLength(before + (Math.min(goal, WIDEST * this.homeDistance) - before) * part);
        if (!follows) target.lerp(this.fit.target, part);
        this.camera.position.copy(target).add(offset);
        this.stale = true;
    }

    private growRoom(places: THREE.Vector3[]): void {
        const all = outermost([...this.room.places, ...places]);
        this.takeRoom(roomOfPlaces(all, this.ground.height), this.direction);
    }

    private get homeDistance(): number {
        return fitTo(this.home.places, this.direction, this.panes[0]!.free).distance;
    }

    // To what has fallen, once, where that takes less room.
    private goNear(): void {
        const places = this.settle.look(this.time, () => this.mostPlaces());
        if (!places || places.length === 0) return;
        if (this.chase.follows) return;
        const room = roomOfPlaces(places, this.ground.height);
        const { distance } = fitTo(room.places, this.direction, this.panes[0]!.free);
        const before = this.camera.position.distanceTo(this.controls.target);
        if (distance > NEARER * before) return;
        this.takeRoom(room, this.direction);
        this.glide.begin(this.fit.target, distance, SETTLING);
        this.gathers = true;
        this.stale = true;
    }

    // Keeps the direction of the camera and how near it had been moved.
    private refit(picture: Rect): void {
        const { target } = this.controls,
            before = this.fit;
        this.fit = fitTo(this.room.places, this.fitFrom, picture);
        this.camera.position.sub(target).multiplyScalar(this.fit.distance / before.distance);
        target.add(this.fit.target).sub(before.target);
        this.camera.position.add(target);
    }

    private fitLight(): void {
        const { center, radius } = this.lit;
        this.lighting.fit(center, radius);
        this.footprint.fit(this.lit, this.ground.height, TOWARDS_KEY);
    }

    // A cloth may go where nobody expected it: floor and light give way.
    private follow(): void {
        const deep = this.views.filter((view) => view && this.lowerFloor(view)).length > 0;
        const box = this.clothAndWearer();
        const far = box !== null && keepLit(this.lit, box, this.roomRadius);
        if (deep || far) this.fitLight();
    }

    // The floor below a cloth, unless it is a body.
    private lowerFloor({ box, bodies }: ClothView): boolean {
        const size = box.min.distanceTo(box.max);
        if (box.isEmpty() || !(size < FLOWN * this.roomRadius)) return false;
        const { height } = this.ground,
            floor = bodies?.floor ?? null;
        const deep = floor === null ? box.min.y < height : floor !== height;
        if (deep) this.ground.moveTo(floor ?? box.min.y - 0.01 * this.roomRadius);
        return deep;
    }

    // -----------------------------------------------------------------------------------------
    // Drawing

    /** Draws what the canvas does not show yet. Call it whenever the screen is due. */
    renderIfNeeded(now: number): void {
        const needed =
            this.stale || this.views.some((v, i) => v && v.version !== this.drawnVersions[i]);
        if (needed) {
            if (this.pace.frame(now, this.drawnLast)) this.takePower();
            this.stale = false;
            this.goAlong(this.drawnLast ? Math.min(0.1, (now - this.lastDraw) / 1000) : 1 / 60);
            const gliding = this.stale;
            this.render();
            this.stale ||= gliding;
        }
        this.lastDraw = now;
        this.drawnLast = needed;
    }

    // Other effects than before, since frames take longer or shorter.
    private takePower(): void {
        this.lighting.takePower();
        for (const view of this.views) view?.takePower();
    }

    render(): void {
        this.keepAbove();
        const gliding = this.controls.update();
        const sharpness = this.filmed ? 1 : power().sharpness;
        const ratio = Math.min(window.devicePixelRatio, MOST_PIXELS) * sharpness;
        this.draw(this.panes, this.width, this.height, ratio);
        this.views.forEach((view, i) => (this.drawnVersions[i] = view ? view.version : -1));
        this.stale = gliding;
    }

    /** A PNG of the panes at this size in pixels, without what covers the canvas. */
    capture(width: number, height: number): Promise<Blob> {
        const panes = layOut(this.paneCount, width, height, NO_INSETS);
        this.refit(panes[0]!.free);
        this.draw(panes, width, height, 1);
        // the drawing buffer is gone with the next task: copy it now
        const copy = document.createElement("canvas");
        copy.width = width;
        copy.height = height;
        copy.getContext("2d")!.drawImage(this.canvas, 0, 0);
        this.refit(this.panes[0]!.free);
        this.render();
        return new Promise((resolve, reject) =>
            copy.toBlob((blob) => {
                if (blob) resolve(blob);
                else reject(new Error("The picture could not be made."));
            }, "image/png"),
        );
    }

    private draw(panes: Pane[], width: number, height: number, ratio: number): void {
        this.resize(width, height, ratio);
        this.follow();
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = Math.max(distance - 4 * this.roomRadius, 0.02 * this.roomRadius);
        this.camera.far = distance + 12 * this.roomRadius;
        this.camera.aspect = panes[0]!.free.width / panes[0]!.free.height;
        // what stays between the panes
        this.renderer.setClearColor(this.ground.line);
        this.renderer.setScissor(0, 0, width, height);
        this.renderer.clear();
        panes.forEach((_, i) => this.drawPane(panes, i, height));
        this.occlusion.clear(); // pictures of others, as of swatches, have none
        this.camera.clearViewOffset();
    }

    private resize(width: number, height: number, ratio: number): void {
        const size = this.renderer.getSize(new THREE.Vector2());
        if (size.x === width && size.y === height && this.renderer.getPixelRatio() === ratio)
            return;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
    }

    private drawPane(panes: Pane[], i: number, height: number): void {
        const { free, drawn } = panes[i]!;
        const shown = this.views[i] ?? null;
        for (const view of this.views) if (view) view.object.visible = view === shown;
        const bottom = height - drawn.y - drawn.height;
        this.renderer.setViewport(drawn.x, bottom, drawn.width, drawn.height);
        this.renderer.setScissor(drawn.x, bottom, drawn.width, drawn.height);
        this.camera.setViewOffset(
            free.width,
            free.height,
            drawn.x - free.x,
            drawn.y - free.y,
            drawn.width,
            drawn.height,
        );
        this.drawShades(i, shown);
        this.renderer.render(this.scene, this.camera);
        if (power().antialias || !shown) return;
        const boxes = [shown.box, ...(shown.bodies?.surroundings().boxes ?? [])];
        this.edges.draw({ ...drawn, y: bottom }, this.camera, boxes);
    }

    // The shadow on the floor, and what lies close to each other.
    private drawShades(pane: number, shown: ClothView | null): void {
        this.scene.updateMatrixWorld();
        this.camera.updateMatrixWorld();
        this.casters.take(shown?.object ?? null);
        const state = shown ? `${shown.object.id} ${shown.version}` : "nothing";
        this.footprint.draw(this.renderer, this.casters, pane, state);
        const { occlusion } = power();
        if (occlusion === 0 || !shown) return this.occlusion.clear();
        this.occlusion.draw(this.casters, this.camera, CLOSE * this.roomRadius, occlusion);
    }

    // -----------------------------------------------------------------------------------------
    // Picking

    /** The vertex under the pointer, or one close by, where no body hides it. */
    pick(clientX: number, clientY: number): Pick | null {
        const hit = this.pickAny(clientX, clientY);
        return hit && hit.vertex >= 0 ? hit : null;
    }

    /** The same, or a place on the body that is nearer; `reach`: how far beside cloth still counts, in
     *  CSS pixels. */
    pickAny(clientX: number, clientY: number, reach = PICK_REACH): Pick | null {
        const pane = this.paneAt(clientX, clientY);
        const view = this.views[pane];
        if (!view) return null;
        this.aim(pane, clientX, clientY);
        const cloth = this.pickCloth(pane, view, reach);
        const body = view.bodies?.pick(this.ray) ?? null;
        // cloth lies close to what it lies on
        const near = 0.01 * this.roomRadius;
        if (body && (!cloth || body.distance < cloth.distance - near)) {
            const point = this.alongRay(body.distance);
            return { pane, vertex: -1, body: body.body, point };
        }
        if (!cloth) return null;
        const [x, y, z] = view.positions.subarray(3 * cloth.vertex, 3 * cloth.vertex + 3);
        const point: Point = cloth.beside ? [x!, y!, z!] : this.alongRay(cloth.distance);
        return { pane, vertex: cloth.vertex, body: -1, point };
    }

    private alongRay(distance: number): Point {
        const at = this.ray.at(distance, new THREE.Vector3());
        return [at.x, at.y, at.z];
    }

    private pickCloth(
        pane: number,
        { positions, shape }: ClothView,
        within: number,
    ): (Hit & { beside: boolean }) | null {
        const pixel = (2 * Math.tan(degrees(FIELD_OF_VIEW / 2))) / this.panes[pane]!.free.height;
        const reach = within * pixel;
        const cloth = pickTriangle(this.ray, positions, shape.triangles);
        // beside the cloth, its edge is meant
        const near = pickNearby(this.ray, positions, cloth ? shape.lines : null, reach);
        if (near && (!cloth || near.distance < cloth.distance)) return { ...near, beside: true };
        return cloth && { ...cloth, beside: false };
    }

    /** From now on dragPoint moves in the plane through `point` that faces the camera, or in the
     *  level one. */
    startDrag(point: Point, pane: number, level = false): void {
        const up = new THREE.Vector3(0, 1, 0);
        const normal = level ? up : new THREE.Vector3(...this.facing());
        this.drag.plane.setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...point));
        this.drag.pane = pane;
    }

    /** The way the camera looks; and what is to its right. */
    facing(): Point {
        return this.camera.getWorldDirection(new THREE.Vector3()).toArray();
    }

    rightOf(): Point {
        return new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0).toArray();
    }

    /** A point in the window, in pixels. */
    onScreen(point: Point, pane: number): { x: number; y: number } {
        const { free } = this.panes[Math.max(0, pane)]!;
        const { left, top } = this.canvas.getBoundingClientRect();
        this.camera.aspect = free.width / free.height;
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
        const at = new THREE.Vector3(...point).project(this.camera);
        return {
            x: left + free.x + ((at.x + 1) / 2) * free.width,
            y: top + free.y + ((1 - at.y) / 2) * free.height,
        };
    }

    get eye(): Point {
        return this.camera.position.toArray();
    }

    /** What the camera looks at. */
    get target(): Point {
        return this.controls.target.toArray();
    }

    /** CSS pixels that a metre takes up where a point is. */
    pixelsPerMetre(point: Point, pane: number): number {
        const distance = new THREE.Vector3(...point).sub(this.camera.position);
        const far = distance.dot(new THREE.Vector3(...this.facing()));
        const height = 2 * Math.tan(degrees(FIELD_OF_VIEW / 2)) * Math.max(far, 1e-6);
        return this.panes[Math.max(0, pane)]!.free.height / height;
    }

    dragPoint(clientX: number, clientY: number): Point | null {
        if (this.drag.pane < 0 || this.drag.pane >= this.paneCount) return null;
        this.aim(this.drag.pane, clientX, clientY);
        const at = this.ray.intersectPlane(this.drag.plane, new THREE.Vector3());
        return at && [at.x, at.y, at.z];
    }

    // The ray from the eye through a place in the window.
    private aim(pane: number, clientX: number, clientY: number): void {
        const { free } = this.panes[pane]!;
        const [x, y] = this.onCanvas(clientX, clientY);
        this.camera.aspect = free.width / free.height;
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
        this.ray.origin.copy(this.camera.position);
        this.ray.direction
            .set((2 * (x - free.x)) / free.width - 1, 1 - (2 * (y - free.y)) / free.height, 0.5)
            .unproject(this.camera)
            .sub(this.ray.origin)
            .normalize();
    }
}
