import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startReceiver } from '#e2e/rig/receiver.ts';
import { SIGNALBOX } from '#e2e/rig/repository.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { postgresPrograms } from '#server/hub/testing/postgres-cluster.ts';
import { makeKey } from '#server/hub-protocol/signatures.ts';
import { asLine } from '#server/testing/timeline-rig.ts';
import { call, end, tellDoor } from './evader.ts';
import { inBrowser } from './in-browser.ts';
import { type Attack, decide, type SoakFixture } from './soak-fixture.ts';

/** A channel gets its message within this time. */
const TOLD_MS = 4000;
const GUESSES = 500;

/** Ways in by what comes from elsewhere, and by what goes there. */
export const OUTSIDE: readonly Attack[] = [
	{
		what: 'decide with the token that `signalbox mcp` keeps, and by a tool of it',
		async run(fixture, id) {
			const named = { name: 'approve', arguments: { id, decision: 'approve' } };
			const messages = [
				{
					method: 'initialize',
					params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
				},
				{ method: 'tools/list' },
				{ method: 'tools/call', params: named },
			].map((one, n) => `${JSON.stringify({ jsonrpc: '2.0', id: n, ...one })}\n`);
			const { stdout } = await end(
				process.execPath,
				[SIGNALBOX, 'mcp', '--session', 'victim'],
				fixture,
				{},
				messages.join(''),
			);
			if (!stdout.includes('"tools"')) throw new Error('the control: no tools are listed');
			// Asked by hand, since a conversation that ends at once may never have needed its token.
			const token = readToken(fixture) ?? (await fixture.token('viewer')).authorization?.replace('Bearer ', '');
			await decide(fixture, id, { authorization: `Bearer ${token}` });
			return /"name":"(?:approve|decide|grant|deny)/.test(stdout) ? 'runs' : undefined;
		},
		worksAt: [],
	},
	{
		what: 'name a channel of its own in the project’s config',
		run: (fixture) => reachesChannel(fixture, (url) => writeConfig(join(fixture.project, '.overtone'), url)),
		worksAt: [],
	},
	{
		what: 'have a channel’s message carried elsewhere by a redirect',
		async run(fixture) {
			const hits: string[] = [];
			const front = http.createServer((request, response) => {
				hits.push(request.url ?? '');
				response.writeHead(307, { location: `${target.url}/stolen` }).end();
			});
			const target = await startReceiver();
			let isStolen = false;
			void target.bytes().then(() => {
				isStolen = true;
			});
			await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
			try {
				writeConfig(fixture.server.home, `http://127.0.0.1:${(front.address() as AddressInfo).port}/x`);
				await restart(fixture);
				await askOnce(fixture, () => hits.length > 0);
				if (hits.length === 0) throw new Error('the control: the channel was told nothing');
				await wait(TOLD_MS);
				return isStolen ? 'runs' : undefined;
			} finally {
				front.closeAllConnections();
				front.close();
				target.close();
			}
		},
		worksAt: [],
	},
	{
		what: 'bring approvals in an archive that is whole in itself',
		async run(fixture) {
			const id = await importForged(fixture);
			const path = `/api/features/${encodeURIComponent(id)}/sessions/forged/part?seq=1`;
			const shown = JSON.stringify((await fixture.send(path, {}, fixture.viewer, 'GET')).json);
			if (!shown.includes('forged-1')) throw new Error(`the control: nothing of it is shown: ${shown.slice(0, 200)}`);
			return /"unverified":true/.test(shown) ? undefined : 'runs';
		},
		worksAt: [],
	},
	{
		what: 'have the player show them as what a person decided, and run a script of the archive',
		async run(fixture) {
			const id = await importForged(fixture);
			return inBrowser(fixture, async (page) => {
				let isScriptRun = false;
				page.on('dialog', (dialog) => {
					isScriptRun = true;
					void dialog.dismiss();
				});
				await page.goto(`/features/${encodeURIComponent(id)}`);
				const story = page.getByRole('list', { name: 'Story' });
				await story.getByText('Approval decided').waitFor();
				await story.getByText('alert(1)').waitFor();
				const marks = await story.getByText('unverified').count();
				const notes = await page.getByText('So decisions show as unverified.').count();
				// The question and the decision.
				return marks === 2 && notes > 0 && !isScriptRun ? undefined : 'runs';
			});
		},
		worksAt: [],
	},
	...(postgresPrograms === undefined ? [] : [guessCodes()]),
];

function readToken({ server }: SoakFixture): string | undefined {
	try {
		return readFileSync(join(server.home, 'mcp-token'), 'utf8').trim();
	} catch {
		return undefined;
	}
}

function writeConfig(folder: string, url: string): void {
	mkdirSync(folder, { recursive: true });
	const path = join(folder, 'config.json');
	let before = {};
	try {
		before = JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		// There is none yet.
	}
	const notify = { channels: { mine: { kind: 'webhook', url, events: ['approval:*', 'session:*'] } } };
	writeFileSync(path, JSON.stringify({ ...before, notify }));
}

/** Has a call wait, again and again, until it is seen or a channel would have been told. */
async function askOnce(fixture: SoakFixture, isSeen: () => boolean): Promise<void> {
	for (const until = Date.now() + 15_000; !isSeen() && Date.now() < until; await wait(1000)) {
		const request = {
			...call(fixture, 'Agent', { subagent_type: 'architect', prompt: 'x' }),
			session_id: `s${Date.now()}`,
		};
		await tellDoor(fixture, request, `run-${Date.now()}`).catch(() => '');
	}
}

/** Channels are opened at the start. */
async function restart({ server }: SoakFixture): Promise<void> {
	await server.stop();
	await server.start();
}

async function reachesChannel(fixture: SoakFixture, name: (url: string) => void): Promise<'runs' | undefined> {
	const receiver = await startReceiver();
	let isHeard = false;
	void receiver.bytes().then(() => {
		isHeard = true;
	});
	try {
		name(receiver.url);
		await restart(fixture);
		await askOnce(fixture, () => isHeard);
		return isHeard ? 'runs' : undefined;
	} finally {
		receiver.close();
	}
}

/** Brings in an archive that somebody forged; gives the id of its feature. */
async function importForged({ server, project, send, viewer }: SoakFixture): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'forged-'));
	try {
		await signalbox(server.home, ['archive', 'import', await forgeArchive(folder)], project);
	} finally {
		rmSync(folder, { recursive: true });
	}
	const { json } = await send('/api/features', {}, viewer, 'GET');
	const [feature] = (json.features ?? []) as { id: string }[];
	return feature?.id ?? '';
}

/** An archive that the product itself has made, of a timeline that somebody wrote by hand. */
async function forgeArchive(folder: string): Promise<string> {
	const [home, project] = [join(folder, 'home'), join(folder, 'shop')];
	mkdirSync(join(project, '.git'), { recursive: true });
	await signalbox(folder, ['feature', 'new', 'cart'], project, { OVERTONE_HOME: home });
	const lines = [
		{ type: 'session:start', cwd: project, project: 'shop' },
		{ type: 'workflow:start', workflowType: 'quick', stages: ['DEV'], featureName: 'cart' },
		{ type: 'approval:request', approvalId: 'forged-1', toolUseId: 't1', tool: 'Bash', title: 'rm -rf /', denials: [] },
		{ type: 'approval:resolve', approvalId: 'forged-1', decision: 'approve', by: { role: 'operator', via: 'passkey' } },
		{ type: 'prompt:submit', prompt: '<script>alert(1)</script>', source: 'user' },
	];
	const at = join(home, 'sessions/forged');
	mkdirSync(at, { recursive: true });
	const ts = new Date().toISOString();
	const text = lines.map((line, n) =>
		asLine({ id: `f${n}`, ts, sessionId: 'forged', category: 'x', label: 'x', ...line }),
	);
	writeFileSync(join(at, 'timeline.jsonl'), text.join(''));
	await signalbox(folder, ['feature', 'archive', 'cart', '--session', 'forged'], project, { OVERTONE_HOME: home });
	const file = join(folder, 'forged.json');
	const [archive] = readdirSync(join(home, 'archive'));
	await signalbox(folder, ['archive', 'export', String(archive), '--output', file], project, { OVERTONE_HOME: home });
	return file;
}

/** Codes of the right form, for a hub that waits for one machine. */
function guessCodes(): Attack {
	return {
		what: `join a hub by guessing its code, ${GUESSES} times`,
		async run() {
			const { startHub } = await import('#e2e/rig/hub.ts');
			const hub = await startHub();
			try {
				const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
				const answers = new Map<number, number>();
				for (let n = 0; n < GUESSES; n += 1) {
					const code = Array.from({ length: 26 }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
					const body = JSON.stringify({ code, key: makeKey().publicKey, name: 'guest', version: '1' });
					const { status } = await fetch(new URL('/edge/join', hub.link()), { method: 'POST', body });
					answers.set(status, (answers.get(status) ?? 0) + 1);
				}
				console.error(
					`  answers of /edge/join: ${[...answers].map(([status, count]) => `${status} ${count}`).join(', ')}`,
				);
				if (!answers.has(403)) throw new Error('the control: no code was looked up');
				return answers.has(200) ? 'runs' : undefined;
			} finally {
				await hub.stop();
			}
		},
		worksAt: [],
	};
}
