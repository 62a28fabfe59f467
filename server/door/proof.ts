import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DOOR_KEY, doorProof, readDoorKey } from '#hooks-bridge/door/door-proof.ts';
import { openSecretFile } from '../process/secret-file.ts';

/** The home's key, made (0600) where there is none or a blank one. Throws where something else lies in its place. */
export function openDoorKey(home: string): string {
	return openSecretFile({
		home,
		name: DOOR_KEY,
		what: "key of the hooks' door",
		read: () => readDoorKey(home),
		mint: () => randomBytes(32).toString('hex'),
	});
}

const provers = new WeakMap<ServerResponse, (body: string) => string>();

/** A hook takes an answer from nobody else: what this request gets will bear the proof. Silence needs one under `closed` alone. */
export function proveAnswers(request: IncomingMessage, response: ServerResponse, key: string): void {
	const { 'x-signalbox-profile': profile, 'x-signalbox-request': requestId } = request.headers;
	if (typeof requestId !== 'string') return;
	const isNeeded = (body: string) => body !== '' || profile === 'closed';
	provers.set(response, (body) => (isNeeded(body) ? `; proof=${doorProof(key, requestId, body)}` : ''));
}

/** The content type of an answer with this body, and its proof where one is asked for. */
export function provenType(response: ServerResponse, body: string, type = 'application/json'): string {
	return `${type}${provers.get(response)?.(body) ?? ''}`;
}
