// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bytes that this browser keeps between visits, by names that are made of what they are.

const DATABASE = "weft";
const STORE = "own";
/** Of all that is kept; the oldest goes first. */
const MOST_BYTES = 64 * 1024 * 1024;

interface Kept {
    bytes: Uint8Array<ArrayBuffer>;
    at: number;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("the browser keeps nothing"));
    });
}

/** Where there is no room, a request may be good and the whole is not. */
function committed(transaction: IDBTransaction): Promise<void> {
    const all = new Promise<void>((resolve, reject) => {
        transaction.addEventListener("complete", () => resolve());
        transaction.addEventListener("abort", () => reject(transaction.error));
    });
    all.catch(() => {}); // whoever waits for it is told
    return all;
}

async function open(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    const database = await done(request);
    const transaction = database.transaction(STORE, mode);
    const close = () => database.close();
    transaction.addEventListener("complete", close);
    transaction.addEventListener("abort", close);
    return transaction.objectStore(STORE);
}

/** By which bytes are kept: 64 bits of FNV-1a, as two numbers that do not mix. */
export function nameOf(bytes: Uint8Array): string {
    let [a, b] = [0x811c9dc5, 0x9dc5811c];
    for (const byte of bytes) {
        a = Math.imul(a ^ byte, 0x01000193);
        b = Math.imul(b ^ byte, 0x01000197);
    }
    return [a, b].map((part) => (part >>> 0).toString(36)).join("-");
}

/** Fails where the browser refuses to keep them. */
export async function keepBytes(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const store = await open("readwrite");
    const kept = committed(store.transaction);
    await done(store.put({ bytes, at: Date.now() } satisfies Kept, name));
    await makeRoom(store);
    await kept;
}

async function makeRoom(store: IDBObjectStore): Promise<void> {
    const [names, all] = await Promise.all([
        done(store.getAllKeys()),
        done(store.getAll() as IDBRequest<Kept[]>),
    ]);
    const newest = all.map((kept, i) => ({ ...kept, name: names[i]! }));
    newest.sort((a, b) => b.at - a.at);
    let sum = 0;
    for (const { name, bytes } of newest) {
        sum += bytes.length;
        if (sum > MOST_BYTES && name !== newest[0]!.name) store.delete(name);
    }
}

/** null: nothing is kept under this name. */
export async function keptBytes(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
        const store = await open("readonly");
        const kept = await done(store.get(name) as IDBRequest<Kept | undefined>);
        return kept?.bytes ?? null;
    } catch {
        return null;
    }
}
