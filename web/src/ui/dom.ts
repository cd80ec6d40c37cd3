// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The two or three lines that every part of the page would repeat to make its elements.

export type Child = Node | string;

/** An element with attributes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, string> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

/** Sets a text only when it differs: texts are offered many times a second. */
export function setText(element: Element, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute, or removes it where there is no value. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

let lastId = 0;

/** An id that no other element of the page has. */
export function newId(name: string): string {
    return `${name}-${++lastId}`;
}
