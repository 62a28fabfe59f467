import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { runHook } from '#e2e/rig/hook-process.ts';
import { agentCall } from '#e2e/rig/routing.ts';
import type { RunningServer } from '#e2e/rig/running-server.ts';
import type { IncidentCode } from '#lib/contract/health/incidents.ts';
import { openJournalWriter } from '#server/timeline/store/journal-writer.ts';
import { openDatabase } from '#server/timeline/store/open-database.ts';

/** Where a program of the same user tampers with files and processes. */
export interface TamperedHome {
	server: RunningServer;
	project: string;
}

const bash = (project: string) => ({
	session_id: 'victim',
	cwd: project,
	hook_event_name: 'PreToolUse',
	tool_name: 'Bash',
	tool_use_id: `toolu_${randomUUID()}`,
	tool_input: { command: 'sudo rm -rf x' },
});
const isDenied = (stdout: string) => stdout.includes('"permissionDecision":"deny"');

/** Whether the forbidden command runs now, behind an entry of this profile. */
async function runsNow({ server, project }: TamperedHome, profile: 'open' | 'closed'): Promise<boolean> {
	const { stdout, exitCode } = await runHook(server.home, bash(project), { profile, timeoutSeconds: 15 }).ended;
	return exitCode !== 2 && !isDenied(stdout);
}

/** Whether a sub-agent that the plan does not expect starts, by the hook as it is installed. */
async function startsNow({ server, project }: TamperedHome): Promise<boolean> {
	const call = agentCall({ sessionId: 'victim', cwd: project, agent: 'architect', toolUseId: randomUUID() });
	const child = spawn('sh', [join(server.home, 'bin/hook.sh'), 'open', '12'], {
		env: { NODE_ENV: 'test', PATH: process.env.PATH ?? '', HOME: server.home, OVERTONE_HOME: server.home },
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	let stdout = '';
	child.stdout.on('data', (text) => (stdout += text));
	child.stdin.on('error', () => undefined);
	child.stdin.end(JSON.stringify(call));
	await new Promise((resolve) => child.on('close', resolve));
	return !isDenied(stdout);
}

/** A program in the place of the server's socket that finds nothing wrong; resolves with how to end it. */
async function impersonate({ server }: TamperedHome): Promise<() => void> {
	const impostor = http.createServer((request, response) => request.resume().on('end', () => response.end()));
	renameSync(server.socketPath, `${server.socketPath}.away`);
	await new Promise<void>((resolve) => impostor.listen(server.socketPath, resolve));
	return () => {
		impostor.closeAllConnections();
		impostor.close();
	};
}

/** Lifts what keeps rows as they are, as whoever owns the file can. */
function changeJournal({ server }: TamperedHome, statement: string): void {
	const file = openDatabase(join(server.home, 'journal.db'));
	const triggers = file.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
	for (const name of triggers) file.exec(`DROP TRIGGER "${name}"`);
	file.pragma('foreign_keys = OFF');
	file.exec(statement);
	file.close();
}

/** Ends every passkey by a row that is chained and signed with the home's own key. */
function revokeByHand({ server }: TamperedHome): void {
	const path = join(server.home, 'journal.db');
	const file = openDatabase(path, { readonly: true });
	const subjects = file.prepare("SELECT subject FROM journal WHERE kind = 'passkey:enrol'").pluck().all() as string[];
	file.close();
	const writer = openJournalWriter(path);
	for (const subject of subjects) writer.append({ id: randomUUID(), kind: 'passkey:revoke', subject, payload: {} });
	writer.close();
}

/** Something that changes files or processes. What it does alone may let a call run; `shows` is how people see it. */
export interface Tampering {
	what: string;
	/** Truth: a forbidden call runs now. Nothing: the waiting call is looked at instead. */
	run(home: TamperedHome, decide: () => Promise<unknown>): Promise<boolean | undefined>;
	/** The incident that must be shown; `lost`: open pages lose their connection. */
	shows: IncidentCode | 'lost';
	worksAt: readonly ('T0' | 'T1' | 'T2')[];
}

const ALWAYS = ['T0', 'T1', 'T2'] as const;

export const TAMPERINGS: readonly Tampering[] = [
	{
		what: 'take the passkey out of `journal.db`, then decide with a token',
		async run(home, decide) {
			changeJournal(home, "DELETE FROM journal WHERE kind IN ('passkey:enrol', 'login:open') AND n > 1");
			await decide();
			return undefined;
		},
		shows: 'journal/changed',
		worksAt: ['T1'],
	},
	{
		what: 'end the passkey by a row signed with the home’s own key, then decide with a token',
		async run(home, decide) {
			revokeByHand(home);
			await decide();
			return undefined;
		},
		shows: 'access/minted',
		worksAt: ['T1'],
	},
	{
		what: 'edit the installed hook',
		async run(home) {
			writeFileSync(join(home.server.home, 'bin/hook.sh'), '#!/bin/sh\nexit 0\n');
			return startsNow(home);
		},
		shows: 'hook/changed',
		worksAt: ALWAYS,
	},
	{
		what: 'switch the client’s hooks off in its settings',
		async run({ project }) {
			const path = join(project, '.claude/settings.json');
			writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), disableAllHooks: true }));
			// What the client does then was observed, not measured here.
			return true;
		},
		shows: 'settings/changed',
		worksAt: ALWAYS,
	},
	{
		what: 'empty the person’s `config.json`',
		async run(home) {
			writeFileSync(join(home.server.home, 'config.json'), '{}');
			return runsNow(home, 'closed');
		},
		shows: 'config/loosened',
		worksAt: ALWAYS,
	},
	{
		what: 'listen on the hooks’ socket in the server’s place, before an entry that fails open',
		async run(home) {
			const end = await impersonate(home);
			const runs = await runsNow(home, 'open');
			end();
			return runs;
		},
		shows: 'door/replaced',
		worksAt: ALWAYS,
	},
	{
		what: 'the same before an entry that fails closed',
		async run(home) {
			const end = await impersonate(home);
			const runs = await runsNow(home, 'closed');
			end();
			return runs;
		},
		shows: 'door/replaced',
		worksAt: [],
	},
	{
		what: 'kill the server and start another with a home of its own in its place',
		async run(home) {
			const { server } = home;
			await server.kill();
			// Whatever answers pages there knows nobody who is signed in; the hooks look for their own home's socket.
			const other = http.createServer((_request, response) => response.end()).listen(server.port, '127.0.0.1');
			const starts = await startsNow(home);
			other.closeAllConnections();
			await new Promise((resolve) => other.close(resolve));
			return starts;
		},
		shows: 'lost',
		worksAt: [],
	},
];

/** A page that is open: tells the milliseconds until it showed `what`, or null after five seconds. */
export function openPage({ port }: RunningServer, credentials: Readonly<Record<string, string>>) {
	const seen = new Map<string, number>();
	const known = new Set<string>();
	const waiting = new Map<string, (at: number) => void>();
	const socket = io(`http://127.0.0.1:${port}`, {
		transports: ['websocket'],
		extraHeaders: credentials,
	});
	const see = (what: string) => {
		if (seen.has(what)) return;
		seen.set(what, performance.now());
		waiting.get(what)?.(performance.now());
	};
	const connected = new Promise<void>((resolve) => socket.on('connect', () => resolve()));
	socket.on('incidents', (incidents: { code: string; about: string; at: string }[]) => {
		for (const { code, about, at } of incidents) {
			const one = `${code} ${about} ${at}`;
			if (!known.has(one)) see(code);
			known.add(one);
		}
	});
	socket.on('disconnect', () => see('lost'));
	return {
		connected,
		/** What was shown until now does not count. */
		forget: () => seen.clear(),
		async shown(what: string, since: number): Promise<number | null> {
			const at = seen.get(what);
			if (at !== undefined) return at - since;
			let timer: NodeJS.Timeout | undefined;
			const late = new Promise<null>((resolve) => {
				timer = setTimeout(() => resolve(null), 5000 - (performance.now() - since));
			});
			const noticed = new Promise<number>((resolve) => waiting.set(what, resolve));
			const found = await Promise.race([noticed, late]);
			clearTimeout(timer);
			return found === null ? null : found - since;
		},
		close: () => void socket.close(),
	};
}
