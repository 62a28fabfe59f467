import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import { RootSignature } from '#lib/contract/hub/hub-commands.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { isByRootPasskey } from '../../edge/signatures.ts';

export function askRoot(root: RootDocument, digest: string): PasskeyAsk | null {
	if (root.v === 1) return null;
	const challenge = Buffer.from(digest, 'hex').toString('base64url');
	const allowCredentials = root.rootPasskeys.map(({ id }) => ({ id, type: 'public-key' as const }));
	return { challenge, rpId: root.rpId, allowCredentials, userVerification: 'required' };
}

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
