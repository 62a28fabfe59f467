import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import { RootPasskeys } from '#lib/contract/hub/hub-wire.ts';

const FILE = 'hub-root.json';

/** Whose passkeys say who may decide: it lies beside the hub's key, and no replica changes it. */
export const RootSet = z.strictObject(RootPasskeys.shape);
export type RootSet = z.infer<typeof RootSet>;

/** Where the root passkeys of a hub stand; `keyPath` is where its key does. */
const pathOf = (keyPath: string): string => join(dirname(keyPath), FILE);

/** The root passkeys of a hub; undefined while it has none. Throws where the file does not fit, and says so. */
export function readRootSet(keyPath: string): RootSet | undefined {
	const path = pathOf(keyPath);
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
		throw error;
	}
	const read = RootSet.safeParse(parse(text));
	if (!read.success) throw new Error(`${path} does not say which passkeys are root: ${z.prettifyError(read.error)}`);
	return read.data;
}

/** Keeps them; codes that are made from then on vouch for them. */
export function keepRootSet(keyPath: string, set: RootSet): void {
	writeDurably(pathOf(keyPath), `${JSON.stringify(set, null, '\t')}\n`);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
