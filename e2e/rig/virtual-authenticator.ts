import type { Page } from '@playwright/test';

/** An authenticator inside a browser, whose owner always confirms. */
export interface VirtualAuthenticator {
	/** The same passkeys in another page's browser, as a person's phone has them. */
	copyTo(page: Page): Promise<void>;
}

/** Adds an authenticator to the page's browser. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
	const { client, authenticatorId } = await add(page);
	return {
		async copyTo(other) {
			const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId });
			const there = await add(other);
			for (const credential of credentials) {
				await there.client.send('WebAuthn.addCredential', { authenticatorId: there.authenticatorId, credential });
			}
		},
	};
}

async function add(page: Page) {
	const client = await page.context().newCDPSession(page);
	await client.send('WebAuthn.enable');
	const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
		options: {
			protocol: 'ctap2',
			transport: 'internal',
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		},
	});
	return { client, authenticatorId };
}
