import { appendFileSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { createSoftAuthenticator } from '#server/testing/soft-authenticator.ts';
import { asks } from './evader.ts';
import { APPROVE, type Attack, challenge, decide, isT2, proof, type SoakFixture } from './soak-fixture.ts';

/** The agent's own call of our command: judged as any, then run; what it did must be told in the session's story. */
async function commandsItself(
	fixture: SoakFixture,
	words: readonly string[],
	tells: string,
): Promise<'runs' | undefined> {
	if (!(await asks(fixture, 'Bash', { command: `signalbox ${words.join(' ')} --session victim` }))) return undefined;
	await signalbox(fixture.server.home, [...words, '--session', 'victim'], fixture.project);
	const story = readFileSync(join(fixture.server.home, 'sessions/victim/timeline.jsonl'), 'utf8');
	if (!story.includes(`"type":"${tells}"`)) throw new Error(`${words.join(' ')} is not told in the session's story`);
	return 'runs';
}

/** What goes over HTTP, the door or the command line, and changes no file of ours behind the server's back. */
export const ATTACKS: readonly Attack[] = [
	{ what: 'decide without credentials', run: (fixture, id) => decide(fixture, id, {}), worksAt: [] },
	{ what: "decide with a reader's token", run: (fixture, id) => decide(fixture, id, fixture.viewer), worksAt: [] },
	{ what: "decide with a hook's token", run: (fixture, id) => decide(fixture, id, fixture.edge), worksAt: [] },
	{
		what: 'guess tokens',
		async run(fixture, id) {
			for (let n = 0; n < 30; n += 1) await decide(fixture, id, { authorization: `Bearer ${'A'.repeat(42)}${n % 10}` });
		},
		worksAt: [],
	},
	{
		what: 'read or decide with the stolen cookie alone',
		async run(fixture, id) {
			const stolen = { origin: fixture.origin, cookie: fixture.signedIn.cookie ?? '' };
			await decide(fixture, id, stolen);
			for (const path of ['/api/approvals', '/api/sessions', '/api/me']) {
				const { status } = await fixture.send(path, {}, stolen, 'GET');
				if (status !== 401) return 'runs';
			}
			return undefined;
		},
		worksAt: [],
	},
	{
		what: "decide with cookie and session token from the browser's profile",
		run: (fixture, id) => decide(fixture, id, fixture.signedIn),
		worksAt: ['T1'],
		trace: 'none beyond the decision itself',
	},
	{
		what: 'mint an operator token and decide',
		run: async (fixture, id) => decide(fixture, id, await fixture.token('operator')),
		worksAt: ['T1'],
		trace: 'journal row, shown for 24 hours',
	},
	{
		what: 'make a login link, sign in and decide',
		run: async (fixture, id) => decide(fixture, id, await fixture.logIn()),
		worksAt: ['T1'],
		trace: 'journal row, shown for 24 hours',
	},
	{
		what: 'decide from a page of another port',
		run: (fixture, id) => decide(fixture, id, { ...fixture.signedIn, origin: 'http://localhost:5173' }),
		worksAt: [],
	},
	{
		what: 'decide through a rebound host name',
		run: (fixture, id) => decide(fixture, id, { ...fixture.signedIn, host: `evil.example:${fixture.server.port}` }),
		worksAt: [],
	},
	{
		what: 'deny and approve in one body (the same key twice)',
		async run({ server, host, signedIn }, id) {
			const text = '{"decision":"deny","decision":"approve"}';
			const headers = { host, ...signedIn, 'content-type': 'application/json', 'content-length': text.length };
			const path = `/api/approvals/${id}`;
			await new Promise<void>((resolve) => {
				const to = { host: '127.0.0.1', port: server.port, method: 'POST', path, headers, agent: false };
				http.request(to, (response) => response.resume().on('end', resolve)).end(text);
			});
		},
		worksAt: [],
	},
	{
		what: 'answer with an authenticator of its own',
		async run(fixture, id) {
			const own = createSoftAuthenticator({ rpId: 'signalbox.localhost', origin: fixture.origin });
			const answer = own.assert(await challenge(fixture, `/api/approvals/${id}`));
			if (fixture.server && (await isT2(fixture))) await decide(fixture, id, { ...fixture.signedIn, ...proof(answer) });
		},
		worksAt: [],
	},
	{
		what: "use the person's answer to another request",
		async run(fixture, id) {
			const answer = fixture.person.assert(await challenge(fixture, '/api/approvals/another'));
			if (await isT2(fixture)) await decide(fixture, id, { ...fixture.signedIn, ...proof(answer) });
		},
		worksAt: [],
	},
	{
		what: "replay the person's answer",
		async run(fixture, id) {
			const headers = {
				...fixture.signedIn,
				...proof(fixture.person.assert(await challenge(fixture, '/api/approvals/another'))),
			};
			if (!(await isT2(fixture))) return;
			await decide(fixture, 'another', headers);
			await decide(fixture, id, headers);
		},
		worksAt: [],
	},
	{
		what: "use the person's answer for a changed body",
		async run(fixture, id) {
			const answer = fixture.person.assert(await challenge(fixture, `/api/approvals/${id}`));
			const body = { ...APPROVE, updatedInput: { subagent_type: 'architect', prompt: 'other' } };
			if (await isT2(fixture)) await decide(fixture, id, { ...fixture.signedIn, ...proof(answer) }, body);
		},
		worksAt: [],
	},
	{
		what: 'enrol a passkey of its own by guessing the code',
		async run({ send, signedIn }) {
			await send('/api/passkeys/code', {}, signedIn);
			for (let n = 0; n < 10; n += 1) await send('/api/passkeys/options', { code: `AAAA-AAA${n}` }, signedIn);
		},
		worksAt: [],
	},
	{
		what: "the same, with the code from the server's redirected output",
		async run({ send, signedIn, server, origin }) {
			await send('/api/passkeys/code', {}, signedIn);
			const code = /passkey: (\S+)/.exec(server.output())?.[1] ?? '';
			const options = await send('/api/passkeys/options', { code }, signedIn);
			const own = createSoftAuthenticator({ rpId: 'signalbox.localhost', origin });
			const response = own.register(String(options.json.challenge));
			const { status } = await send('/api/passkeys', { name: 'key', response }, signedIn);
			return status === 200 ? 'runs' : undefined;
		},
		worksAt: [],
	},
	{
		what: 'make a grant for the denied call with a minted token',
		async run(fixture) {
			const body = { sessionId: 'victim', toolUseId: 'toolu_victim', scope: 'session', reason: 'x' };
			const { status } = await fixture.send('/api/grants', body, await fixture.token('operator'));
			return status === 200 || status === 201 ? 'granted' : undefined;
		},
		worksAt: ['T1'],
		trace: 'journal rows of token and grant',
	},
	{
		what: 'name a browser of its own that is told of calls, by a minted token',
		async run(fixture) {
			const body = { action: 'remove', id: '0123456789abcdef' };
			const { status } = await fixture.send('/api/push', body, await fixture.token('operator'));
			// It came through to the list, which has none of that name.
			return status === 404 ? 'runs' : undefined;
		},
		worksAt: ['T0', 'T1'],
		trace: 'journal row; page',
	},
	{
		what: 'switch the supervisor off by the command line',
		run: (fixture) => commandsItself(fixture, ['supervisor', 'off'], 'supervisor:switch'),
		worksAt: ['T0', 'T1', 'T2'],
		trace: "told in the session's story",
	},
	{
		what: 'stop the workflow by the command line',
		async run(fixture) {
			await signalbox(fixture.server.home, ['workflow', 'start', 'quick', '--session', 'victim'], fixture.project);
			return commandsItself(fixture, ['workflow', 'stop'], 'workflow:abort');
		},
		worksAt: ['T0', 'T1', 'T2'],
		trace: "told in the session's story",
	},
	{
		what: 'write an approval into the timeline',
		async run({ server }, id) {
			const line = { id: 'forged', ts: new Date().toISOString(), type: 'approval:resolve', category: 'approval' };
			const rest = { label: 'x', sessionId: 'victim', approvalId: id, decision: 'approve' };
			appendFileSync(
				join(server.home, 'sessions/victim/timeline.jsonl'),
				`${JSON.stringify({ ...line, ...rest, by: { role: 'operator', via: 'passkey' } })}\n`,
			);
		},
		worksAt: [],
		trace: 'the line is shown as unverified and is an alarm',
	},
	{
		what: "decide at the hooks' door",
		async run({ server }, id) {
			for (const path of [`/tickets/${id}`, `/api/approvals/${id}`, '/reviews']) {
				await new Promise<void>((resolve) => {
					const to = { socketPath: server.socketPath, method: 'POST', path, agent: false };
					const request = http.request(to, (response) => response.resume().on('end', resolve));
					request.on('error', () => resolve()).end(JSON.stringify(APPROVE));
				});
			}
		},
		worksAt: [],
	},
];
