import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import { type RootDocument, RootPasskeys } from '#lib/contract/hub/hub-wire.ts';
import { parsedJson } from '#lib/json/json.ts';
import { makeKey, publicKeyOf } from '../../hub-protocol/signatures.ts';
import { openSecretFile } from '../../process/secret-file.ts';
import type { Query } from './database.ts';

export interface HubIdentity {
	root: RootDocument;
	privateKey: string;
}

/** The key and root document by which machines know this hub. Creates the home's key; a key at `path` must exist. */
export function openHubIdentity(options: {
	home: string;
	path: string | undefined;
	origin: string;
	name: string;
}): HubIdentity {
	const { home, path, origin, name } = options;
	const privateKey = path === undefined ? ownKey(home) : readKey(path);
	if (privateKey === undefined) throw new Error(`${path} holds no private key of Ed25519 (PEM).`);
	const identity = { origin, name, key: publicKeyOf(privateKey) };
	const set = readRootSet(path ?? keyPathIn(home));
	return { privateKey, root: set ? { v: 2, ...identity, ...set } : { v: 1, ...identity } };
}

/** Undefined if there is none yet. */
export function storedKey({ home, path = keyPathIn(home) }: { home: string; path: string | undefined }) {
	const privateKey = readKey(path);
	return privateKey === undefined ? undefined : { privateKey, publicKey: publicKeyOf(privateKey) };
}

export const keyPathIn = (home: string): string => `${home}/hub.key`;

const ownKey = (home: string): string =>
	openSecretFile({
		home,
		name: 'hub.key',
		what: 'key of this hub',
		read: () => readKey(keyPathIn(home)),
		mint: () => makeKey().privateKey.trim(),
	});

function readKey(path: string): string | undefined {
	return tryTo(() => {
		const pem = readFileSync(path, 'utf8');
		publicKeyOf(pem);
		return pem;
	});
}

const FILE = 'hub-root.json';

export const RootSet = z.strictObject(RootPasskeys.shape);
export type RootSet = z.infer<typeof RootSet>;

const pathOf = (keyPath: string): string => join(dirname(keyPath), FILE);

/** The root passkeys beside the hub's key; undefined before the first. Throws for an unreadable file. */
export function readRootSet(keyPath: string): RootSet | undefined {
	const path = pathOf(keyPath);
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
		throw error;
	}
	const read = RootSet.safeParse(parsedJson(text));
	if (!read.success) throw new Error(`${path} does not say which passkeys are root: ${z.prettifyError(read.error)}`);
	return read.data;
}

export function storeRootSet(keyPath: string, set: RootSet): void {
	writeDurably(pathOf(keyPath), `${JSON.stringify(set, null, '\t')}\n`);
}

/** Root passkeys whose key in the database differs from the file: somebody has changed the database. The file's key counts. */
export async function changedRoots(query: Query, set: RootSet | undefined): Promise<string[]> {
	const roots = new Map(set?.rootPasskeys.map(({ id, cose }) => [id, cose]));
	const found = await query<{ id: string; cose: string }>`SELECT cred_id AS id, cose FROM passkeys
		WHERE cred_id = ANY (${[...roots.keys()]})`;
	return found.filter(({ id, cose }) => roots.get(id) !== cose).map(({ id }) => id);
}

export const changedRootWords = (id: string): string =>
	`The database has another key for the root passkey ${id} than hub-root.json: somebody has changed it there. Nothing that the other key signs counts. Have its owner take it away on the page People and enrol it again, and \`signalbox hub root remove\` it here.`;
