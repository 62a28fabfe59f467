import { describe, expect, test } from 'vitest';
import type { GrantState } from '#lib/contract/approvals/grants.ts';
import type { Grants } from '../pages/api/approval-routes.ts';

/** A row of a machine's journal about a grant. */
export interface GrantRow {
	kind: 'grant:create' | 'grant:use' | 'grant:revoke' | 'grant:expire';
	subject: string;
	payload: Record<string, unknown>;
}

export interface ReportedGrants {
	grants: Pick<Grants, 'list' | 'revoke'>;
	close(): Promise<void>;
}

export const ORIGIN = 'https://hub.example';
const HOUR = 3_600_000;
const by = {
	...{ role: 'operator', via: 'hub', name: 'Ann' },
	hub: { origin: ORIGIN, iss: 'https://idp.example', sub: 'ann', level: 'hub', command: 1 },
} as const;

function made(grantId: string, more: Record<string, unknown> = {}): GrantRow {
	const expires = new Date(Date.now() + HOUR).toISOString();
	const covers = [{ gate: 'routing', rule: 'x', fingerprint: 'f', words: 'w' }];
	const payload = { grantId, scope: 'session', by, reason: 'r', tool: 'Bash', title: 't', covers, expires, ...more };
	return { kind: 'grant:create', subject: grantId, payload };
}
const used = (grantId: string): GrantRow => ({
	...{ kind: 'grant:use', subject: grantId },
	payload: {
		grantId,
		scope: 'once',
		reason: 'r',
		by,
		tool: 'Bash',
		inputDigest: 'd',
		madeAt: new Date().toISOString(),
	},
});

/** What the journal of a machine says of grants, as the machine itself and its hub list it. */
export function describeGrants(name: string, open: (rows: readonly GrantRow[]) => Promise<ReportedGrants>) {
	async function listed({ grants }: ReportedGrants, state?: GrantState, limit = 100): Promise<string[]> {
		return (await grants.list(state, limit)).map(({ id, state: now }) => `${id} ${now}`);
	}

	describe(`grants: ${name}`, () => {
		test('each is listed as its rows say, the newest first, by state and up to a number', async () => {
			const opened = await open([
				made('grant-one'),
				made('grant-two', { scope: 'once' }),
				used('grant-two'),
				made('grant-three'),
				{ kind: 'grant:revoke', subject: 'grant-three', payload: { grantId: 'grant-three', by, reason: 'over' } },
				made('grant-four', { expires: new Date(Date.now() - HOUR).toISOString() }),
				made('grant-five'),
				used('grant-five'),
			]);
			expect(await listed(opened)).toEqual([
				...['grant-five active', 'grant-four expired', 'grant-three revoked', 'grant-two used', 'grant-one active'],
			]);
			expect(await listed(opened, 'used')).toEqual(['grant-two used']);
			expect(await listed(opened, 'revoked')).toEqual(['grant-three revoked']);
			expect(await listed(opened, 'expired')).toEqual(['grant-four expired']);
			expect((await listed(opened, 'active')).sort()).toEqual(['grant-five active', 'grant-one active']);
			expect(await listed(opened, undefined, 2)).toEqual(['grant-five active', 'grant-four expired']);
			const [five] = await opened.grants.list('active', 1);
			expect(five).toMatchObject({ id: 'grant-five', uses: 1, by: { name: 'Ann' }, scope: 'session' });
			await opened.close();
		});

		test('rows that say no grant are none, and hide none', async () => {
			const hostile = [
				made('no-scope', { scope: 'everything' }),
				made('no-covers', { covers: 'all' }),
				made('no-author', { by: { role: 'king' } }),
				made('no-end', { expires: 'never' }),
				made('no-id', { grantId: undefined }),
				{ ...made('of-another'), subject: 'this-grant' },
				{ ...made('good-grant', { scope: 'once' }), kind: 'grant:use' as const },
				used('never-made'),
			];
			const opened = await open([made('first-grant'), ...hostile, made('last-grant')]);
			expect(await listed(opened)).toEqual(['last-grant active', 'first-grant active']);
			expect((await listed(opened, 'active')).sort()).toEqual(['first-grant active', 'last-grant active']);
			await opened.close();
		});

		test('what is over or was never made cannot be revoked', async () => {
			const opened = await open([made('used-grant', { scope: 'once' }), used('used-grant')]);
			const revoke = (id: string) => opened.grants.revoke(id, {}, { role: 'operator', via: 'token' });
			await expect(revoke('used-grant')).rejects.toMatchObject({ code: 'grant/ended' });
			await expect(revoke('no-such-grant')).rejects.toMatchObject({ code: 'grant/not-found' });
			await opened.close();
		});
	});
}
