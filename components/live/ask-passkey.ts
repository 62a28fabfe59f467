import { startAuthentication } from '@simplewebauthn/browser';

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Asks the user's authenticator for a passkey. Returns the header's value, or null if the user declined. */
export async function askPasskey(options: unknown): Promise<string | null> {
	try {
		const answer = await startAuthentication({ optionsJSON: options as RequestOptions });
		return toHeader(JSON.stringify(answer));
	} catch {
		return null;
	}
}

/** base64url of UTF-8, because headers allow only ASCII. */
function toHeader(text: string): string {
	const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
	return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
