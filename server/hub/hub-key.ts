import { readFileSync } from 'node:fs';
import type { RootDocument } from '#lib/contract/hub-wire.ts';
import { makeKey, publicKeyOf } from '../edge/hello-proof.ts';
import { openSecretFile } from '../secret-file.ts';

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
	return { privateKey, root: { v: 1, origin, name, key: publicKeyOf(privateKey) } };
}

const ownKey = (home: string): string =>
	openSecretFile({
		home,
		name: 'hub.key',
		what: 'key of this hub',
		read: () => readKey(`${home}/hub.key`),
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
