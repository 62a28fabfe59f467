import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import { RootSignature } from '#lib/contract/hub/hub-commands.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { readPasskeyHeader } from '../../access/webauthn.ts';
import { isByRootPasskey } from '../../edge/signatures.ts';

/** The request that makes a browser sign this digest with one of these passkeys. */
export const askFor = (digest: string, rpId: string, passkeys: readonly { id: string }[]): PasskeyAsk => ({
	challenge: Buffer.from(digest, 'hex').toString('base64url'),
	rpId,
	allowCredentials: passkeys.map(({ id }) => ({ id, type: 'public-key' })),
	userVerification: 'required',
});

export const askRoot = (root: RootDocument, digest: string): PasskeyAsk | null =>
	root.v === 1 ? null : askFor(digest, root.rpId, root.rootPasskeys);

export async function readRootAnswer(
	root: RootDocument,
	digest: string,
	answer: string,
): Promise<RootSignature | undefined> {
	const { data: given } = RootSignature.safeParse(readPasskeyHeader(answer));
	return (await isByRootPasskey(given, digest, root)) ? given : undefined;
}
