import { readFileSync } from 'node:fs';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { makeKey, publicKeyOf } from '../../edge/hello-proof.ts';
import { openSecretFile } from '../../process/secret-file.ts';
import { readRootSet } from './root-set.ts';

/** Who a hub is: what every replica of it has in common. */
export interface HubIdentity {
	root: RootDocument;
	privateKey: string;
}

/** Reads the hub's key, or makes it where there is none: `path` is SIGNALBOX_HUB_KEY, else a file of the home. */
export function openHubIdentity(options: {
	home: string;
	path: string | undefined;
	origin: string;
	name: string;
}): HubIdentity {
	const { home, path, origin, name } = options;
	const privateKey = path === undefined ? ownKey(home) : readKey(path);
	if (privateKey === undefined) throw new Error(`${path} holds no private key of Ed25519 (PEM).`);
	const said = { origin, name, key: publicKeyOf(privateKey) };
	const set = readRootSet(path ?? keyPathIn(home));
	return { privateKey, root: set ? { v: 2, ...said, ...set } : { v: 1, ...said } };
}

/** The key that is there already, in both halves; undefined where none is. */
export function heldKey({ home, path = keyPathIn(home) }: { home: string; path: string | undefined }) {
	const privateKey = readKey(path);
	return privateKey === undefined ? undefined : { privateKey, publicKey: publicKeyOf(privateKey) };
}

/** Where the key of a hub lies that has none of its own place. */
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
	try {
		const pem = readFileSync(path, 'utf8');
		publicKeyOf(pem);
		return pem;
	} catch {
		return undefined;
	}
}
