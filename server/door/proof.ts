import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DOOR_KEY, doorProof, readDoorKey } from '#hooks-bridge/hook/door-proof.ts';

/** The home's key, made (0600) where there is none. Throws where something else lies in its place. */
export function openDoorKey(home: string): string {
	const path = join(home, DOOR_KEY);
	const known = readDoorKey(home);
	if (known !== undefined) return known;
	if (statSync(path, { throwIfNoEntry: false })) {
		throw new Error(`${path} holds no key of the hooks' door: move it away, and a new one is made.`);
	}
	const draft = `${path}.${process.pid}`;
	writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
	try {
		linkSync(draft, path);
	} finally {
		rmSync(draft, { force: true });
	}
	const made = readDoorKey(home);
	if (made === undefined) throw new Error(`The key ${path} cannot be made: look at the rights of its folder.`);
	return made;
}

const provers = new WeakMap<ServerResponse, (body: string) => string>();

/** A fail-closed hook takes an answer from nobody else: whatever this request gets will bear the proof. */
export function proveAnswers(request: IncomingMessage, response: ServerResponse, key: string): void {
	const { 'x-signalbox-profile': profile, 'x-signalbox-request': requestId } = request.headers;
	if (profile !== 'closed' || typeof requestId !== 'string') return;
	provers.set(response, (body) => `; proof=${doorProof(key, requestId, body)}`);
}

/** The content type of an answer with this body, and its proof where one is asked for. */
export function provenType(response: ServerResponse, body: string, type = 'application/json'): string {
	return `${type}${provers.get(response)?.(body) ?? ''}`;
}
