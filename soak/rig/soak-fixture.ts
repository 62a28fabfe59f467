import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { planFor } from '#e2e/rig/routing.ts';
import { startServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { createSoftAuthenticator } from '#server/testing/soft-authenticator.ts';

/** What protects decisions, as the threat model counts it. */
export type Tier = 'T0' | 'T1' | 'T2';
export const TIERS: readonly Tier[] = ['T0', 'T1', 'T2'];
type Headers = Record<string, string>;

/** A server at a tier, with what a same-user program can get hold of. */
export async function openSoakFixture(tier: Tier) {
	const server = await startServer({ SIGNALBOX_HOLD_SECONDS: '120' }, { terminal: tier === 'T2' });
	const config = { commands: { exclude: ['rm', 'zap'] }, approvals: { observe: tier === 'T0' } };
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
		let code: string | undefined;
		while (code === undefined) {
			await new Promise(setImmediate);
			code = /passkey: (\S+)/.exec(server.output())?.[1];
		}
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
/** What a server and its surroundings look like to a program of the same user. */
export type SoakFixture = Awaited<ReturnType<typeof openSoakFixture>>;

/** An authenticator's answer, as the header that a decision carries. */
export const proof = (answer: unknown): Headers => ({
	'x-signalbox-passkey': Buffer.from(JSON.stringify(answer)).toString('base64url'),
});
/** The body that lets a call run. */
export const APPROVE = { decision: 'approve' };

/** One way to approve oneself, and where it is known to work. */
export interface Attack {
	what: string;
	run(fixture: SoakFixture, id: string): Promise<unknown>;
	/** Tiers at which it is known to work: the honest part. */
	worksAt: readonly Tier[];
	trace?: string;
	/** What an open page must show within five seconds. */
	shows?: string;
}
/** Sends a decision about a waiting call. */
export const decide = (fixture: SoakFixture, id: string, headers: Headers, body: unknown = APPROVE) =>
	fixture.send(`/api/approvals/${id}`, body, headers);
/** What a passkey has to answer for an approval at `path`. */
export const challenge = async ({ send, signedIn }: SoakFixture, path: string) =>
	String((await send('/api/passkeys/challenge', { path, body: APPROVE }, signedIn)).json.challenge);

/** Whether any call was let through. */
export const isApproved = async ({ send, viewer }: SoakFixture): Promise<boolean> => {
	const answer = await send('/api/approvals?state=approved', {}, viewer, 'GET').catch(() => null);
	return ((answer?.json.approvals ?? []) as unknown[]).length > 0;
};
/** Whether the server says that a passkey decides. */
export const isT2 = async ({ send, viewer }: SoakFixture): Promise<boolean> => {
	const { json } = await send('/api/me', {}, viewer, 'GET');
	return json.tier === 'T2';
};
