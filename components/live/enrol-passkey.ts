import { startRegistration } from '@simplewebauthn/browser';
import type { Answer } from './call-route.ts';

type Registration = Awaited<ReturnType<typeof startRegistration>>;
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Enrols a passkey: makes one with the options that were asked for, and hands it in. Where the person declines nothing is sent. */
export async function enrolPasskey<Data>(
	request: Promise<Answer<unknown>>,
	handIn: (response: { id: string; rawId: string; [field: string]: unknown }) => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
	const options = await request;
	if (!options.ok) return options;
	const response = await makePasskey(options.data);
	if (response === null)
		return { ok: false, status: 0, code: 'passkey/refused', message: 'No passkey was made. Nothing was changed.' };
	return handIn({ ...response });
}

/** Makes a passkey on an authenticator of the person's choice; null when the person declined. */
async function makePasskey(options: unknown): Promise<Registration | null> {
	try {
		return await startRegistration({ optionsJSON: options as CreationOptions });
	} catch {
		return null;
	}
}
