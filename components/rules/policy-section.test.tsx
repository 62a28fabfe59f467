import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { HubPolicyVersion, TeamPolicy } from '#lib/contract/hub/hub-policies.ts';
import { TeamPolicySection } from './hub-policies.tsx';
import { PolicySection } from './policy-section.tsx';

const wordsOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('the rules page says from which hub a policy comes, until when it holds, and what it says', () => {
	const from = { hub: 'hub.example', team: 'shop', version: 3, until: '2026-12-01T10:00:00.000Z', mayLoosen: false };
	const says = { 'commands.exclude': '["rm"]' };
	const shown = (mayLoosen: boolean) =>
		wordsOf(renderToStaticMarkup(<PolicySection policy={{ ...from, mayLoosen, says }} />));
	expect(shown(false)).toMatch(/Policy v3 of team shop, from the hub hub.example, until .*commands.exclude .*rm/);
	expect(shown(false)).toContain('It only adds');
	expect(shown(true)).toContain('A root passkey stands for it');
});

test('a hub’s rules page lists the versions of each team’s policy, their status, and what machines did with them', () => {
	const one = {
		made: '2026-11-01T10:00:00.000Z',
		until: '2026-12-01T10:00:00.000Z',
		byRoot: false,
		says: {},
		ask: null,
	};
	const ask = { challenge: 'x', rpId: 'hub.example', allowCredentials: [], userVerification: 'required' as const };
	const versions: HubPolicyVersion[] = [
		{ ...one, version: 3, standing: 'waits', ask },
		{ ...one, version: 2, standing: 'holds', byRoot: true },
		{ ...one, version: 1, standing: 'earlier' },
	];
	const machines: TeamPolicy['machines'] = [
		{ edge: 1, name: 'laptop', version: 2, state: 'done' },
		{ edge: 2, name: 'runner', version: 2, state: 'refused', why: 'it has expired' },
		{ edge: 3, name: 'away', version: 2, state: 'waiting' },
		{ edge: 4, name: 'fresh', version: null, state: null },
	];
	const policy: TeamPolicy = { id: 1, team: 'shop', versions, machines };
	const shown = wordsOf(renderToStaticMarkup(<TeamPolicySection policy={policy} onSigned={() => undefined} />));
	for (const words of [
		...['v3 ◐ waits for a root passkey', 'Sign with a root passkey', 'v2 ● in force', 'signed by a root passkey'],
		...['replaced by a later version', 'laptop has v2', 'runner has refused v2: it has expired'],
		'away is given v2 when it comes',
	])
		expect(shown).toContain(words);
	expect(shown).not.toContain('fresh');
});
