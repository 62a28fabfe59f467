import { startRegistration } from '@simplewebauthn/browser';
import type { Answer } from './call-route.ts';

type Registration = Awaited<ReturnType<typeof startRegistration>>;
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Creates a passkey with the requested options and submits it. Sends nothing if the user declines. */
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

/** Creates a passkey on an authenticator of the user's choice; null if the user declined. */
async function makePasskey(options: unknown): Promise<Registration | null> {
	try {
		return await startRegistration({ optionsJSON: options as CreationOptions });
	} catch {
		return null;
	}
}
