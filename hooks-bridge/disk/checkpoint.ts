import { isJson, type Json } from '#lib/json/json.ts';

/** How much of a timeline a state file holds, and the digest of what we wrote, by which an edit is known. */
interface Seal {
	offset: number;
	ino: number;
	digest: string;
}

/** A state file as it was found. */
export interface Checkpoint {
	/** Its content without the seal. */
	content: Json;
	/** Bytes of the timeline that it holds; undefined where the file does not say. */
	offset?: number;
	ino?: number;
	/** It is what we wrote last. */
	own: boolean;
}

/** Takes a state file's value apart; null for what is no JSON object. */
export function openCheckpoint(value: unknown, digest: (text: string) => string): Checkpoint | null {
	if (!isJson(value)) return null;
	const { checkpoint, ...content } = value;
	if (!isSeal(checkpoint)) return { content, own: false };
	const { offset, ino } = checkpoint;
	return { content, offset, ino, own: digest(JSON.stringify(content)) === checkpoint.digest };
}

/** A state with its seal, as the file holds it. */
export function sealCheckpoint(
	state: object,
	end: { offset: number; ino: number },
	digest: (text: string) => string,
): Json {
	const content = JSON.parse(JSON.stringify(state)) as Json;
	return { ...content, checkpoint: { ...end, digest: digest(JSON.stringify(content)) } };
}

function isSeal(value: unknown): value is Seal {
	if (!isJson(value) || typeof value.digest !== 'string') return false;
	return Number.isSafeInteger(value.offset) && Number(value.offset) >= 0 && Number.isSafeInteger(value.ino);
}
