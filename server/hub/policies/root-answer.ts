import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { RootSignature } from '#lib/contract/hub/root-signature.ts';
import { isByRootPasskey } from '../../edge/signed-document.ts';

/** What a browser asks a root passkey for, so that it stands for a digest (hex); null where the hub has none. */
export function askRoot(root: RootDocument, digest: string): PasskeyAsk | null {
	if (root.v === 1) return null;
	const challenge = Buffer.from(digest, 'hex').toString('base64url');
	const allowCredentials = root.rootPasskeys.map(({ id }) => ({ id, type: 'public-key' as const }));
	return { challenge, rpId: root.rpId, allowCredentials, userVerification: 'required' };
}

/** A root passkey's answer (base64url of its JSON), where it stands for a digest (hex); else undefined. */
export async function readRootAnswer(
	root: RootDocument,
	digest: string,
	answer: string,
): Promise<RootSignature | undefined> {
	const { data: given } = RootSignature.safeParse(parse(answer));
	return (await isByRootPasskey(given, digest, root)) ? given : undefined;
}

function parse(answer: string): unknown {
	try {
		return JSON.parse(Buffer.from(answer, 'base64url').toString('utf8'));
	} catch {
		return undefined;
	}
}
