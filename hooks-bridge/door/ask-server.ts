import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parsedObject } from '#lib/json/json.ts';
import { doorPath, MAX_SOCKET_PATH, printedDenialsFolder } from '../disk/overtone-home.ts';
import { tryTo } from '../disk/try-to.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { AskBounds, DoorAnswer } from './door-client.ts';
import { doorProof, headersOf, proofIn, readDoorKey } from './hook-run.ts';

/** For the gates' answer; a person has the rest of the hook's time, less a reserve. */
const FIRST_ANSWER_MS = 4000;
const RESERVE_MS = 8000;

/**
 * Asks the home's server about one hook input, within the run's own time. `absent` if none runs. Answers without the home's proof
 * are ignored; an empty one needs proof only under `closed`.
 */
export async function askServer(
	home: string,
	body: string,
	run: HookRun,
	env: Readonly<Record<string, string | undefined>>,
	options: Pick<AskBounds, 'signal' | 'onWaiting'> = {},
): Promise<DoorAnswer> {
	const socket = doorPath(home);
	if (socket.length > MAX_SOCKET_PATH || !isSocket(socket)) return { kind: 'absent' };
	const { askDoor } = await import('./door-client.ts');
	const hookMs = (run.timeoutSeconds ?? 0) * 1000;
	const firstMs = hookMs === 0 ? FIRST_ANSWER_MS : Math.min(FIRST_ANSWER_MS, hookMs / 2);
	const isProven: AskBounds['isProven'] = ({ text, contentType }) => {
		if (text === '' && run.profile !== 'closed') return true;
		const key = readDoorKey(home);
		return key !== undefined && proofIn(contentType) === doorProof(key, run.requestId, text);
	};
	const bounds = { agent: run.agent, firstMs, restMs: Math.max(1000, hookMs - RESERVE_MS), ...options, isProven };
	const answer = await askDoor(socket, body, headersOf(run, env), bounds);
	if (answer.kind === 'output' && answer.printedDenialOf !== undefined) noteGivenDenial(home, answer.printedDenialOf);
	return answer;
}

/** A person may have approved at the moment of the denial: this note shows the server that it was too late. */
function noteGivenDenial(home: string, ticket: string): void {
	try {
		mkdirSync(join(printedDenialsFolder(home), ticket));
	} catch {
		// No server of this version has run here, or the disk is full: the outcome of the call stays unknown.
	}
}

function isSocket(path: string): boolean {
	return tryTo(() => statSync(path).isSocket()) ?? false;
}

/** Whether an answer is one JSON object, as a hook may print it. */
export function isJsonObject(text: string): boolean {
	return text.startsWith('{') && parsedObject(text) !== undefined;
}
