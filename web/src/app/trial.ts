// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Methods of the literature are tried out of sight before they are played: where the cloth would fly
// apart, the user is told so first, and offered a step with which it does not.

import type { Edits, SceneDocument } from "../scene/document";
import { methodOf } from "../scene/methods";
import { Rehearsal, type Finding } from "../sim/rehearsal";
import { askStep } from "../ui/ask-step";
import { ProgressCard } from "../ui/progress";

const KNOWN = 50; // findings that are kept
const SHOWN_AFTER = 250; // milliseconds: what is found sooner needs no card

/** "1/240 s", or "4.5 ms" where it is no such part. */
export function stepWords(dt: number): string {
    const parts = Math.round(1 / dt);
    return Math.abs(parts * dt - 1) < 1e-6
        ? `1/${parts} s`
        : `${Number((1000 * dt).toPrecision(3))} ms`;
}

/** What is wrong with a method, in a sentence; null where nothing is. */
export function faultWords(label: string, { dt, apart, reached }: Finding): string | null {
    if (apart === null)
        return reached > 0 ? null : `${label} takes longer than five seconds for a step here.`;
    const after = Number(apart.toPrecision(2));
    return (
        `${label} is unstable here with steps of ${stepWords(dt)}: ` +
        `the cloth flies apart after ${after} s.`
    );
}

export class Trials {
    private readonly known = new Map<string, Finding>();
    private rehearsal: Rehearsal | null = null;
    private readonly card = new ProgressCard(() => this.stop());

    /** What is to be changed along with the method; null where it is not to be played. */
    async admit(document: SceneDocument, method: string): Promise<Edits | null> {
        this.stop();
        const { label, conditional } = methodOf(method);
        if (!conditional || document.isUndressed) return {};
        const finding = await this.find(document, method);
        if (!finding) return null;
        const words = faultWords(label, finding);
        if (words === null) return {};
        const { apart, stable } = finding;
        const answer = await askStep(
            words,
            apart !== null,
            stable === null ? null : stepWords(stable),
        );
        return answer === "stable" ? { dt: stable! } : answer === "anyway" ? {} : null;
    }

    private async find(document: SceneDocument, method: string): Promise<Finding | null> {
        const textOf = (dt: number | null) =>
            document.composeWith(dt === null ? {} : { dt }, method);
        const key = textOf(null).text;
        const known = this.known.get(key);
        if (known) return known;
        const rehearsal = (this.rehearsal = new Rehearsal(document.files));
        const title = `Trying ${methodOf(method).label} ...`;
        const timer = setTimeout(() => this.card.show(title, "out of sight", null), SHOWN_AFTER);
        try {
            const found = await rehearsal.find(textOf);
            if (found) this.keep(key, found);
            return found;
        } catch {
            return { dt: 1, apart: null, reached: 1, stable: null }; // what plays it says what is wrong
        } finally {
            clearTimeout(timer);
            if (this.rehearsal === rehearsal) this.stop();
        }
    }

    private keep(key: string, finding: Finding): void {
        if (this.known.size >= KNOWN) this.known.delete(this.known.keys().next().value!);
        this.known.set(key, finding);
    }

    /** What is being tried is not wanted any more. */
    stop(): void {
        this.rehearsal?.stop();
        this.rehearsal = null;
        this.card.hide();
    }
}
