import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import type { RootSignature } from '#lib/contract/hub/root-signature.ts';
import { isAnswerTo } from './passkey-answer.ts';

/** Whether one of the passkeys in the root document of the join code stands for a digest (hex). */
export async function isByRootPasskey(
	signature: RootSignature | undefined,
	digest: string,
	root: RootDocument,
): Promise<boolean> {
	const passkey = root.v === 2 ? root.rootPasskeys.find(({ id }) => id === signature?.id) : undefined;
	return signature && root.v === 2 && passkey ? isAnswerTo(digest, signature, passkey, root) : false;
}
