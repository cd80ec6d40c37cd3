// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Work that is for nothing as long as an element is not seen: in a drawer that is closed, or scrolled
// away.

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | null = null;

function seen(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
        const act = waiting.get(target);
        if (!isIntersecting || !act) continue;
        waiting.delete(target);
        observer!.unobserve(target);
        act();
    }
}

/** Does it once the element is on the screen. What was to be done for the same element before is
 *  forgotten. */
export function whenSeen(element: Element, act: () => void): void {
    observer ??= new IntersectionObserver(seen);
    waiting.set(element, act);
    // anew, since it tells of changes only
    observer.unobserve(element);
    observer.observe(element);
}
