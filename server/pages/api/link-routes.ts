import { AppError } from '#lib/contract/errors.ts';
import type { ApprovalLink, ApprovalLinks } from '../../access/approval-links.ts';
import type { MachineAuth, RequestProof } from '../../access/auth.ts';
import type { Passkeys } from '../../access/passkeys.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import type { ApprovalService } from '../../approvals/approval-service.ts';
import { proofOf } from '../../http/api-env.ts';
import { mintNonce } from '../../http/security-headers.ts';
import type { OpenName } from '../../process/program-name.ts';
import { defineRoute } from './define-route.ts';
import { elsewherePage } from './elsewhere-page.ts';
import { linkPage } from './link-page.ts';
import { plainPolicy } from './plain-page.ts';
import { sayTo } from './say-to.ts';

export interface LinkRouteOptions {
	auth: MachineAuth;
	links: ApprovalLinks;
	passkeys: Passkeys;
	service: Pick<ApprovalService, 'get'>;
	/** What a person types to run this program, for everybody. */
	openly: OpenName;
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** How long a sign-in by a link outlasts the call's deadline, to see what came of it. */
const AFTERMATH_MS = 10 * 60_000;

/**
 * What a link to a waiting call opens (docs/decisions/0010). Fetching it does nothing; using it needs what deciding
 * needs: an operator's sign-in in this browser, or a passkey. Deciding is then asked for as ever.
 */
export function createLinkRoutes({ auth, links, passkeys, service, openly, now }: LinkRouteOptions) {
	/** The link, of a call that waits. Throws `link/...`. */
	function read(text: string): ApprovalLink {
		const link = readOurs(text);
		if (service.get(link.approvalId)?.state !== 'waiting') throw new AppError('link/over');
		return link;
	}

	function readOurs(text: string): ApprovalLink {
		try {
			return links.read(text);
		} catch (error) {
			if (error instanceof AppError && error.code === 'link/wrong') auth.countWrongLink();
			throw error;
		}
	}

	/** An old cookie, or half a sign-in, is no attack: it is as good as none. */
	const signedIn = (proof: RequestProof) => auth.authenticate(proof).catch(() => null);

	return [
		defineRoute('GET /link', ({ context }) => {
			const nonce = mintNonce();
			const say = sayTo(context);
			const isHere = auth.isOwnHost(proofOf(context));
			return context.html(isHere ? linkPage(nonce, openly, say) : elsewherePage(nonce, openly, say), 200, {
				'content-security-policy': plainPolicy(nonce),
			});
		}),

		defineRoute('POST /link', async ({ body, context }) => {
			const proof = proofOf(context);
			// A link must not be used up where its cookie would not count.
			if (!auth.isOwnHost(proof)) throw new AppError('auth/host');
			const link = read(body.link);
			const to = `/approvals?card=${encodeURIComponent(link.approvalId)}`;
			const principal = await signedIn(proof);
			if (principal?.via === 'browser' && principal.role === 'operator') {
				await links.use(link, 'browser');
				return { to };
			}
			if (passkeys.list().length === 0) throw new AppError('link/sign-in');
			const asker = { via: 'browser' as const, sessionHash: link.hash };
			await passkeys.prove(proof.headers[PASSKEY_HEADER], asker, { path: '/link', body });
			await links.use(link, 'passkey');
			const lifeMs = link.until - now() + AFTERMATH_MS;
			const { cookie, sessionToken } = await auth.openScopedLogin(link.approvalId, lifeMs);
			context.header('set-cookie', auth.cookieFor(proof, cookie, lifeMs));
			return { to, sessionToken };
		}),

		defineRoute('POST /link/challenge', async ({ body, context }) => {
			const link = read(body.link);
			if (passkeys.list().length === 0) throw new AppError('link/sign-in');
			const asker = { via: 'browser' as const, sessionHash: link.hash };
			return context.json(await passkeys.challenge(asker, { path: '/link', body }));
		}),
	];
}
