import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import { createLog } from '../../process/log.ts';
import { operator } from '../../testing/service-rig.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { openSqliteJournal } from '../../timeline/store/sqlite-journal.ts';
import { createOutbox } from '../outbox.ts';
import { createGrantService, type GrantService } from './grant-service.ts';

vi.setConfig({ testTimeout: 120_000 });

const SESSIONS = ['s1', 's2'] as const;
const AGENTS = ['architect', 'tester'] as const;

interface ModelGrant {
	id: string;
	scope: GrantScope;
	session: string;
	agent: string;
	ends: number;
	isOver: boolean;
}
interface Model {
	now: number;
	grants: ModelGrant[];
}
interface Setting {
	service: GrantService;
	journal: JournalStore;
	allowed: number;
	clock: { now: number };
	/** The server dies with the next use written and not answered. */
	dies: boolean;
	reopen(): Promise<void>;
	model: Model;
}
type Command = fc.AsyncCommand<Model, Setting>;

const heldCall = (session: string, agent: string): DeniedCall => ({
	sessionId: session,
	tool: 'Task',
	input: { subagent_type: agent },
	inputDigest: agent,
	denials: [{ gate: 'routing-plan', rule: 'r', reason: '', fingerprint: agent, words: agent }],
	asksPerson: false,
	decision: { decision: 'deny', reason: 'no' },
	facts: {},
	hook: { agent: 'claude-code', at: 'other', name: 'PreToolUse', sessionId: session, raw: {} },
	run: { requestId: 'r', profile: 'open' },
});

const usable = ({ grants, now }: Model, session: string, agent: string) =>
	grants.filter(
		(grant) =>
			!grant.isOver &&
			grant.ends > now &&
			grant.agent === agent &&
			(grant.scope === 'project' || grant.session === session),
	);

/** How many of `tries` simultaneous calls may run. */
function letRun(model: Model, session: string, agent: string, tries: number): number {
	const fitting = usable(model, session, agent);
	return fitting.some(({ scope }) => scope !== 'once') ? tries : Math.min(tries, fitting.length);
}

const create = (scope: GrantScope, session: string, agent: string, seconds: number): Command => ({
	check: () => true,
	async run(model: Model, setting: Setting) {
		const covers = [{ gate: 'routing-plan', rule: 'r', fingerprint: agent, words: agent }];
		const subject = { call: { sessionId: session }, tool: 'Task', title: '', covers };
		const terms = { scope, reason: 'x', expiresInSeconds: seconds };
		const { id } = await setting.service.create(subject, terms, operator);
		model.grants.push({ id, scope, session, agent, ends: model.now + seconds * 1000, isOver: false });
	},
	toString: () => `create ${scope} ${session} ${agent} ${seconds}s`,
});

/** Two retries (or one) at the same time. */
const retry = (session: string, agent: string, tries: number): Command => ({
	check: () => true,
	async run(model: Model, setting: Setting) {
		const answers = await Promise.all(
			Array.from({ length: tries }, async () => setting.service.tryGrants(heldCall(session, agent))),
		);
		const allowed = answers.filter((answer) => answer !== null).length;
		expect(allowed).toBe(letRun(model, session, agent, tries));
		setting.allowed += allowed;
		checkGrants(model, setting);
	},
	toString: () => `retry ${session} ${agent} x${tries}`,
});

/** The server is killed when the use of a grant is durable and its answer is not out. */
const dieWhileUsing = (session: string, agent: string): Command => ({
	check: () => true,
	async run(model: Model, setting: Setting) {
		setting.dies = true;
		const answer = setting.service.tryGrants(heldCall(session, agent));
		if (answer !== null) await Promise.race([answer, once(setting)]);
		setting.dies = false;
		await setting.reopen();
		checkGrants(model, setting);
	},
	toString: () => `die while ${session} ${agent}`,
});
const written = new WeakMap<Setting, () => void>();
const once = (setting: Setting) => new Promise<void>((resolve) => written.set(setting, resolve));

const revoke = (nth: number): Command => ({
	check: (model: Readonly<Model>) => model.grants.length > 0,
	async run(model: Model, setting: Setting) {
		const grant = model.grants[nth % model.grants.length] as ModelGrant;
		const isActive = !grant.isOver && grant.ends > model.now;
		// Two operators at once: one of them takes an active grant back, none an ended one.
		const ends = await Promise.allSettled([
			setting.service.revoke(grant.id, {}, operator),
			setting.service.revoke(grant.id, {}, operator),
		]);
		const done = ends.filter(({ status }) => status === 'fulfilled').length;
		expect(done).toBe(isActive ? 1 : 0);
		grant.isOver = true;
	},
	toString: () => `revoke ${nth}`,
});

const wait = (seconds: number): Command => ({
	check: () => true,
	async run(model: Model, setting: Setting) {
		model.now += seconds * 1000;
		setting.clock.now = model.now;
		await setting.service.sweep();
	},
	toString: () => `wait ${seconds}s`,
});

const restart = (): Command => ({
	check: () => true,
	run: (_model: Model, setting: Setting) => setting.reopen(),
	toString: () => 'restart',
});

/** The journal says which `once` grants are used up; it must never hold two uses of one. */
function checkGrants(model: Model, setting: Setting) {
	for (const grant of model.grants) {
		const uses = setting.journal.bySubject(grant.id).filter(({ kind }) => kind === 'grant:use').length;
		if (grant.scope !== 'once') continue;
		expect(uses).toBeLessThanOrEqual(1);
		if (uses === 1) grant.isOver = true;
	}
}

async function openSetting(folder: string): Promise<Setting> {
	const journal = await openSqliteJournal(join(folder, 'journal.db'));
	const ports = createNodePorts({ home: folder });
	const log = createLog(() => undefined);
	const clock = { now: 0 };
	const start = Date.now();
	const open = async () => {
		const stalling: JournalStore = {
			...journal,
			async append(draft, unless) {
				const row = await journal.append(draft, unless);
				if (!setting.dies || draft.kind !== 'grant:use' || row === null) return row;
				written.get(setting)?.();
				return new Promise(() => undefined);
			},
		};
		const outbox = createOutbox({ journal: stalling, ports, log });
		const release = () => ({ output: { allowed: true } });
		const service = createGrantService({
			journal: stalling,
			outbox,
			ports,
			release,
			log,
			clock: () => ({ wall: start + clock.now, monotonic: clock.now }),
		});
		await service.start();
		return service;
	};
	const setting: Setting = {
		journal,
		clock,
		allowed: 0,
		dies: false,
		model: { now: 0, grants: [] },
		service: undefined as unknown as GrantService,
		async reopen() {
			setting.service?.stop();
			setting.service = await open();
		},
	};
	await setting.reopen();
	return setting;
}

test('R603 R605 any order of making, using, revoking, waiting, dying and restarting: no grant serves more than it says', async () => {
	const session = fc.constantFrom(...SESSIONS);
	const agent = fc.constantFrom(...AGENTS);
	const commands = fc.commands(
		[
			fc
				.tuple(fc.constantFrom<GrantScope>('once', 'session', 'project'), session, agent, fc.constantFrom(60, 600))
				.map(([scope, of, who, seconds]) => create(scope, of, who, seconds)),
			fc.tuple(session, agent, fc.constantFrom(1, 2, 2)).map(([of, who, tries]) => retry(of, who, tries)),
			fc.tuple(session, agent).map(([of, who]) => dieWhileUsing(of, who)),
			fc.nat(20).map((nth) => revoke(nth)),
			fc.constantFrom(1, 59, 300).map((seconds) => wait(seconds)),
			fc.constant(restart()),
		],
		{ maxCommands: 25 },
	);
	await fc.assert(
		fc.asyncProperty(commands, async (list) => {
			const folder = mkdtempSync(join(tmpdir(), 'signalbox-grants-'));
			const setting = await openSetting(folder);
			try {
				await fc.asyncModelRun(() => ({ model: setting.model, real: setting }), list);
				const uses = setting.journal.byKind(['grant:use'], { limit: 1000 }).length;
				// A server that died between the row and the answer used up more than it allowed, never less.
				expect(setting.allowed).toBeLessThanOrEqual(uses);
			} finally {
				setting.service.stop();
				await setting.journal.close();
				rmSync(folder, { recursive: true, force: true });
			}
		}),
		{ numRuns: 10 },
	);
});
