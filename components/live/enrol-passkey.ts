import { makePasskey } from './ask-passkey.ts';
import type { Answer } from './call-route.ts';

/** Enrols a passkey: makes one with the options that were asked for, and hands it in. Where the person declines nothing is sent. */
export async function enrolPasskey<Data>(
	asked: Promise<Answer<unknown>>,
	handIn: (response: { id: string; rawId: string; [field: string]: unknown }) => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
	const options = await asked;
	if (!options.ok) return options;
	const response = await makePasskey(options.data);
	if (response === null)
		return { ok: false, status: 0, code: 'passkey/refused', message: 'No passkey was made. Nothing was changed.' };
	return handIn({ ...response });
}
