/*
 * `npm run soak self-approval`: what a program of the same user can do to let its own denied call run, tried for real
 * against a built server at the tiers T0, T1 and T2 (docs/threat-model.md). Prints a table, with the time until an open page showed
 * it; exits with 1 when something that must be stopped was not, or was not shown within five seconds.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { runHook } from '#e2e/rig/hook-process.ts';
import { agentCall, planFor } from '#e2e/rig/routing.ts';
import { startServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { createSoftAuthenticator } from '#server/testing/soft-authenticator.ts';
import { openPage, TAMPERINGS } from './rig/tampering.ts';

type Tier = 'T0' | 'T1' | 'T2';
type Headers = Record<string, string>;

/** A server at a tier, with what a same-user program can get hold of. */
async function openWorld(tier: Tier) {
	const server = await startServer({ SIGNALBOX_HOLD_SECONDS: '120' });
	const config = { commands: { exclude: ['rm'] }, approvals: { observe: tier === 'T0' } };
	writeFileSync(join(server.home, 'config.json'), JSON.stringify(config));
	const { host, origin } = new URL(server.url);
	const send = (path: string, body: unknown, headers: Headers = {}, method = 'POST') =>
		new Promise<{ status: number; json: Record<string, never>; cookie: string }>((resolve, reject) => {
			const text = JSON.stringify(body);
			const all = { host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers };
			const to = { host: '127.0.0.1', port: server.port, method, path, headers: all, agent: false };
			const request = http.request(to, (response) => {
				let read = '';
				response.setEncoding('utf8').on('data', (part: string) => {
					read += part;
				});
				response.on('end', () => {
					const cookie = String(response.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';
					const isJson = read.startsWith('{');
					resolve({ status: response.statusCode ?? 0, json: isJson ? JSON.parse(read) : {}, cookie });
				});
			});
			request.on('error', reject).end(text);
		});
	const logIn = async (): Promise<Headers> => {
		const token = (await signalbox(server.home, ['open'])).split('#')[1];
		const { cookie, json } = await send('/login', { token }, { origin });
		return { origin, cookie, 'x-signalbox-session': String(json.sessionToken) };
	};
	const token = async (role: string): Promise<Headers> => ({
		authorization: `Bearer ${await signalbox(server.home, ['token', 'create', '--role', role])}`,
	});
	const person = createSoftAuthenticator({ rpId: 'signalbox.localhost', origin });
	const signedIn = await logIn();
	if (tier === 'T2') {
		await send('/api/passkeys/code', {}, signedIn);
		const code = /passkey: (\S+)/.exec(server.output())?.[1];
		const options = await send('/api/passkeys/options', { code }, signedIn);
		await send('/api/passkeys', { name: 'key', response: person.register(String(options.json.challenge)) }, signedIn);
	}
	const project = join(server.home, 'project');
	mkdirSync(join(project, '.vibe-engine'), { recursive: true });
	writeFileSync(join(project, '.vibe-engine/routing-state.json'), JSON.stringify(planFor('developer')));
	await signalbox(server.home, ['init', '--project', project]);
	const viewer = await token('viewer');
	return { server, host, origin, send, logIn, token, person, signedIn, project, viewer, edge: await token('edge') };
}
type World = Awaited<ReturnType<typeof openWorld>>;

const proof = (answer: unknown): Headers => ({
	'x-signalbox-passkey': Buffer.from(JSON.stringify(answer)).toString('base64url'),
});
const APPROVE = { decision: 'approve' };

interface Attack {
	what: string;
	run(world: World, id: string): Promise<unknown>;
	/** Tiers at which it is known to work: the honest part. */
	worksAt: readonly Tier[];
	trace?: string;
	/** What an open page must show within five seconds. */
	shows?: string;
}
const decide = (world: World, id: string, headers: Headers, body: unknown = APPROVE) =>
	world.send(`/api/approvals/${id}`, body, headers);
const challenge = async ({ send, signedIn }: World, path: string) =>
	String((await send('/api/passkeys/challenge', { path, body: APPROVE }, signedIn)).json.challenge);

const ATTACKS: readonly Attack[] = [
	{ what: 'decide without credentials', run: (world, id) => decide(world, id, {}), worksAt: [] },
	{ what: "decide with a reader's token", run: (world, id) => decide(world, id, world.viewer), worksAt: [] },
	{ what: "decide with a hook's token", run: (world, id) => decide(world, id, world.edge), worksAt: [] },
	{
		what: 'guess tokens',
		async run(world, id) {
			for (let n = 0; n < 30; n += 1) await decide(world, id, { authorization: `Bearer ${'A'.repeat(42)}${n % 10}` });
		},
		worksAt: [],
	},
	{
		what: 'decide with the stolen cookie alone',
		run: (world, id) => decide(world, id, { origin: world.origin, cookie: world.signedIn.cookie ?? '' }),
		worksAt: [],
	},
	{
		what: "decide with cookie and header token from the browser's profile",
		run: (world, id) => decide(world, id, world.signedIn),
		worksAt: ['T1'],
		trace: 'none beyond the decision itself',
	},
	{
		what: 'mint an operator token and decide',
		run: async (world, id) => decide(world, id, await world.token('operator')),
		worksAt: ['T1'],
		trace: 'journal row, shown for 24 hours',
	},
	{
		what: 'make a login link, sign in and decide',
		run: async (world, id) => decide(world, id, await world.logIn()),
		worksAt: ['T1'],
		trace: 'journal row, shown for 24 hours',
	},
	{
		what: 'decide from a page of another port',
		run: (world, id) => decide(world, id, { ...world.signedIn, origin: 'http://localhost:5173' }),
		worksAt: [],
	},
	{
		what: 'decide through a rebound host name',
		run: (world, id) => decide(world, id, { ...world.signedIn, host: `evil.example:${world.server.port}` }),
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
		async run(world, id) {
			const own = createSoftAuthenticator({ rpId: 'signalbox.localhost', origin: world.origin });
			const answer = own.assert(await challenge(world, `/api/approvals/${id}`));
			if (world.server && (await isT2(world))) await decide(world, id, { ...world.signedIn, ...proof(answer) });
		},
		worksAt: [],
	},
	{
		what: "use the person's answer to another request",
		async run(world, id) {
			const answer = world.person.assert(await challenge(world, '/api/approvals/another'));
			if (await isT2(world)) await decide(world, id, { ...world.signedIn, ...proof(answer) });
		},
		worksAt: [],
	},
	{
		what: "replay the person's answer",
		async run(world, id) {
			const headers = {
				...world.signedIn,
				...proof(world.person.assert(await challenge(world, '/api/approvals/another'))),
			};
			if (!(await isT2(world))) return;
			await decide(world, 'another', headers);
			await decide(world, id, headers);
		},
		worksAt: [],
	},
	{
		what: "use the person's answer for a changed body",
		async run(world, id) {
			const answer = world.person.assert(await challenge(world, `/api/approvals/${id}`));
			const body = { ...APPROVE, updatedInput: { subagent_type: 'architect', prompt: 'other' } };
			if (await isT2(world)) await decide(world, id, { ...world.signedIn, ...proof(answer) }, body);
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
		what: 'make a grant for the denied call with a minted token',
		async run(world) {
			const body = { sessionId: 'victim', toolUseId: 'toolu_victim', scope: 'session', reason: 'x' };
			const { status } = await world.send('/api/grants', body, await world.token('operator'));
			return status === 200 || status === 201 ? 'granted' : undefined;
		},
		worksAt: ['T1'],
		trace: 'journal rows of token and grant',
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
const isApproved = async ({ send, viewer }: World): Promise<boolean> => {
	const answer = await send('/api/approvals?state=approved', {}, viewer, 'GET').catch(() => null);
	return ((answer?.json.approvals ?? []) as unknown[]).length > 0;
};
const isT2 = async ({ send, viewer }: World): Promise<boolean> => {
	const { json } = await send('/api/me', {}, viewer, 'GET');
	return json.tier === 'T2';
};

/** The second part: what changes files or processes. */
const TAMPERED: readonly Attack[] = TAMPERINGS.map(({ what, run, worksAt, shows }) => ({
	what,
	run: async (world, id) => (await run(world, async () => decide(world, id, await world.token('operator')))) && 'runs',
	worksAt,
	shows,
}));

const table: Record<string, string[]> = {};
const wrong: string[] = [];
for (const tier of ['T0', 'T1', 'T2'] as const) {
	for (const { what, run, worksAt, trace, shows } of [...ATTACKS, ...TAMPERED]) {
		const world = await openWorld(tier);
		try {
			const call = agentCall({ sessionId: 'victim', cwd: world.project, agent: 'architect' });
			const hook = runHook(world.server.home, call, { timeoutSeconds: 130 });
			let id = 'none';
			for (let look = 0; tier !== 'T0' && id === 'none' && look < 200; look += 1) {
				const { json } = await world.send('/api/approvals?state=waiting', {}, world.viewer, 'GET');
				const [first] = (json.approvals ?? []) as { approvalId?: string; id?: string }[];
				id = first?.approvalId ?? first?.id ?? 'none';
			}
			if (tier !== 'T0' && id === 'none') throw new Error('the call does not wait');
			if (tier === 'T0') await hook.ended;
			const page = openPage(world.server, world.viewer);
			await page.connected;
			// The server has seen the session's project, and what it was like.
			if (shows !== undefined) await new Promise((resolve) => setTimeout(resolve, 3500));
			page.forget();
			const began = performance.now();
			const got = await run(world, id);
			const ran = got === 'granted' || got === 'runs' || (await isApproved(world));
			const shown = shows === undefined ? undefined : await page.shown(shows, began);
			page.close();
			hook.kill();
			const says = ran ? 'works' : 'stopped';
			const sight =
				shown === undefined ? '' : shown === null ? ', NOT SHOWN' : `, shown after ${(shown / 1000).toFixed(1)} s`;
			const result = `${ran && trace ? `works (${trace})` : says}${sight}`;
			table[what] = [...(table[what] ?? []), result];
			console.error(`${tier}: ${what}: ${result}`);
			if (shown === null) wrong.push(`${tier}: ${what}: not shown within 5 s`);
			if (ran !== worksAt.includes(tier)) wrong.push(`${tier}: ${what}: ${says}`);
		} finally {
			await world.server.dispose();
		}
	}
}
console.log('| tried | T0 | T1 | T2 |\n|---|---|---|---|');
for (const [what, results] of Object.entries(table)) console.log(`| ${what} | ${results.join(' | ')} |`);
for (const each of wrong) console.error(`NOT AS EXPECTED: ${each}`);
if (wrong.length > 0) process.exitCode = 1;
