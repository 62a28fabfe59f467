import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeWorkflowRig, SESSION, type WorkflowRig } from '#hooks-bridge/testing/workflow-rig.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { gateById } from '#lib/gates/gate-table.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import { gateFiles, watchGateFiles } from './gate-files.ts';
import type { IncidentDraft } from './incident-log.ts';

/** What an agent can put in the place of a file. */
const SPOILT: Record<string, (path: string) => void> = {
	gone: () => undefined,
	'a FIFO': (path) => void spawnSync('mkfifo', [path]),
	'a folder': (path) => mkdirSync(path),
	'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
	'no text of its kind': (path) => writeFileSync(path, '{'),
};

let rig: WorkflowRig;
let raised: IncidentDraft[];
let watch: ReturnType<typeof watchGateFiles>;
let readOn: () => void;
beforeEach(() => {
	rig = makeWorkflowRig();
	raised = [];
	const onBatch: ((batch: TailBatch) => void)[] = [];
	const tail = {
		onBatch(take: (batch: TailBatch) => void) {
			onBatch.push(take);
			return () => undefined;
		},
	};
	const env = { CLAUDE_CONFIG_DIR: join(rig.home, 'client') };
	const ports = { ...rig.ports, now: () => 0, features: rig.ports.features };
	watch = watchGateFiles({
		home: rig.home,
		env,
		tail,
		ports,
		incidents: { raise: (draft) => void raised.push(draft) },
	});
	let view = emptyView(SESSION);
	let seq = 0;
	readOn = () => {
		const fresh = rig.recorded().slice(seq) as unknown as IndexedEvent[];
		const events = fresh.map((event, nth) => ({ ...event, seq: seq + nth + 1 }));
		seq += events.length;
		for (const event of events) ({ view } = fold(view, event, () => undefined));
		for (const take of onBatch) take({ sessionId: SESSION, events, view, rows: [] } as unknown as TailBatch);
	};
});
afterEach(() => rig.remove());

const PLAN = {
	...{ planId: 'p', status: 'in_progress', maxRetries: 3 },
	phases: [{ phase: 1, tasks: [{ id: '1', agent: 'developer', description: 'd', status: 'pending' }] }],
};
const write = () =>
	rig.hook('PreToolUse', {
		tool_name: 'Write',
		tool_use_id: `w${raised.length}${Math.random()}`,
		tool_input: { file_path: 'a', content: '' },
	});
const isDenied = (answer: { output: unknown }) => /"deny"|"block"|"continue":false/.test(JSON.stringify(answer.output));

interface Way {
	/** As the table names the file. */
	file: string;
	prepare(): void;
	denied(): boolean;
	path(): string;
	spoilt: readonly string[];
}
const begin = () => rig.hook('UserPromptSubmit', { prompt: 'Go.' });
const plan = () => rig.writeFile('shop/.vibe-engine/routing-state.json', JSON.stringify(PLAN));
const withEnforcer = () => rig.writeFile('home/config.json', '{"gates":{"routingEnforcer":{"enabled":true}}}');
const all = Object.keys(SPOILT);

const WAYS: Record<string, Way> = {
	'a plan that denied work': {
		file: 'routing-state.json',
		prepare() {
			withEnforcer();
			plan();
			begin();
		},
		denied: () => isDenied(write()),
		path: () => join(rig.project, '.vibe-engine/routing-state.json'),
		spoilt: all,
	},
	'a plan that denied an agent': {
		file: 'routing-state.json',
		prepare() {
			plan();
			begin();
		},
		denied: () => isDenied(rig.ask('architect')),
		path: () => join(rig.project, '.vibe-engine/routing-state.json'),
		spoilt: all,
	},
	'a plan that denied a stop': {
		file: 'routing-state.json',
		prepare() {
			plan();
			begin();
		},
		denied: () => isDenied(rig.stop()),
		path: () => join(rig.project, '.vibe-engine/routing-state.json'),
		spoilt: all,
	},
	'the workflow that denied an agent': {
		file: 'workflow.json',
		prepare() {
			begin();
			rig.start('standard');
		},
		denied: () => isDenied(rig.ask('tester')),
		path: () => join(rig.home, 'sessions', SESSION, 'workflow.json'),
		// Text that is none is made again from the timeline.
		spoilt: all.filter((how) => how !== 'no text of its kind'),
	},
	'the workflow that denied a stop': {
		file: 'workflow.json',
		prepare() {
			begin();
			rig.start('standard');
		},
		denied: () => isDenied(rig.stop()),
		path: () => join(rig.home, 'sessions', SESSION, 'workflow.json'),
		spoilt: all.filter((how) => how !== 'no text of its kind'),
	},
	'the timeline': {
		file: 'timeline.jsonl',
		prepare() {
			begin();
			rig.start('standard');
		},
		denied: () => isDenied(rig.stop()),
		path: () => join(rig.home, 'sessions', SESSION, 'timeline.jsonl'),
		spoilt: ['gone', 'a folder', 'a FIFO', 'a link to /dev/zero'],
	},
};

describe.each(Object.entries(WAYS))('R2342 R2633 %s', (_what, way) => {
	test.each(way.spoilt)('%s: it denies on, or an incident says that it does not', (how) => {
		way.prepare();
		expect(way.denied()).toBe(true);
		readOn();
		watch.checkAll();
		expect(raised).toEqual([]);
		rmSync(way.path(), { recursive: true });
		SPOILT[how]?.(way.path());
		watch.checkAll();
		expect(raised).toMatchObject([{ code: 'plan/edited', about: expect.stringContaining(way.file) }]);
		watch.checkAll();
		expect(raised).toHaveLength(1);
	});

	test('what is spoilt after a person has prompted is none', () => {
		way.prepare();
		expect(way.denied()).toBe(true);
		readOn();
		begin();
		watch.prompted(SESSION);
		readOn();
		rmSync(way.path(), { recursive: true });
		watch.checkAll();
		expect(raised).toEqual([]);
	});
});

describe.each([
	['tasks.md', 'shop/specs/features/in-progress/cart/tasks.md', '# Tasks\n\n- [ ] DEV\n'],
	[
		'supervisor-ID.json',
		`home/client/ccc/supervisor-${SESSION}.json`,
		`{"sessionId":"${SESSION}","enabled":true,"count":0}`,
	],
])('R2633 %s', (file, path, text) => {
	test.each(all)('%s: it no longer denies', (how) => {
		const row = gateFiles.find((one) => one.file.includes(file));
		const env = { CLAUDE_CONFIG_DIR: join(rig.home, 'client') };
		const { home, project: root, ports } = rig;
		const isLost = () => row?.isLost?.({ home, sessionId: SESSION, root, feature: 'cart', timeline: null, env, ports });
		rig.writeFile(path, text);
		expect(isLost()).toBe(false);
		const whole = join(dirname(rig.home), path);
		rmSync(whole);
		SPOILT[how]?.(whole);
		expect(isLost()).toBe(true);
	});
});

test('R2633 neither a forged prompt in the timeline nor another timeline clears a denial', () => {
	plan();
	begin();
	expect(isDenied(rig.ask('architect'))).toBe(true);
	readOn();
	begin();
	rmSync(join(rig.project, '.vibe-engine/routing-state.json'));
	expect(isDenied(rig.ask('architect'))).toBe(false);
	// It is back before anybody looks; what passed says that it was away.
	plan();
	readOn();
	expect(raised).toMatchObject([{ about: expect.stringContaining('routing-state.json') }]);
	rig.start('standard');
	expect(isDenied(rig.ask('tester'))).toBe(true);
	readOn();
	const timeline = rig.read(`home/sessions/${SESSION}/timeline.jsonl`);
	rmSync(join(rig.home, 'sessions', SESSION, 'timeline.jsonl'));
	rig.writeFile(`home/sessions/${SESSION}/other`, '');
	rig.writeFile(`home/sessions/${SESSION}/timeline.jsonl`, timeline.slice(0, -10));
	watch.checkAll();
	expect(raised[1]).toMatchObject({ about: expect.stringContaining('timeline.jsonl') });
});

test('R2633 a repair that begins after a denial is an incident', () => {
	withEnforcer();
	plan();
	begin();
	expect(isDenied(write())).toBe(true);
	readOn();
	const startedAt = new Date(0).toISOString();
	rig.writeFile('shop/.vibe-engine/auto-fix-state.json', JSON.stringify({ active: true, iteration: 1, startedAt }));
	watch.checkAll();
	expect(raised).toMatchObject([{ about: expect.stringContaining('auto-fix-state.json') }]);
});

test('R2633 the same call is denied while the plan that denied it is gone', () => {
	withEnforcer();
	plan();
	begin();
	expect(isDenied(write())).toBe(true);
	rmSync(join(rig.project, '.vibe-engine/routing-state.json'));
	expect(isDenied(write())).toBe(true);
	begin();
	expect(isDenied(write())).toBe(false);
});

test.each(all)('R2633 `loop.json` %s: the stop is denied as before, and the file is made again', (how) => {
	begin();
	rig.start('standard');
	expect(isDenied(rig.stop())).toBe(true);
	readOn();
	const path = join(rig.home, 'sessions', SESSION, 'loop.json');
	expect(existsSync(path)).toBe(true);
	rmSync(path, { recursive: true });
	SPOILT[how]?.(path);
	watch.checkAll();
	expect(isDenied(rig.stop())).toBe(true);
	expect(raised).toEqual([]);
});

describe.each(all)('R2633 `tasks/*.yaml` %s', (how) => {
	const path = () => join(rig.project, '.vibe-engine/tasks/task-1.yaml');
	const putTasks = () =>
		rig.writeFile(
			'shop/.vibe-engine/tasks/task-1.yaml',
			'task_decomposition:\n  subtasks:\n    - id: t1\n      description: d\n      agent: developer\n',
		);
	const spoil = () => {
		rmSync(path());
		SPOILT[how]?.(path());
	};

	test('the plan that was made of it denies as before', () => {
		putTasks();
		expect(rig.hook('UserPromptSubmit', { prompt: 'build it' }).output).not.toBeNull();
		expect(isDenied(rig.ask('architect'))).toBe(true);
		readOn();
		spoil();
		watch.checkAll();
		expect(isDenied(rig.ask('architect'))).toBe(true);
		rig.hook('UserPromptSubmit', { prompt: 'build the rest' });
		expect(isDenied(rig.ask('architect'))).toBe(true);
		expect(raised).toEqual([]);
	});

	test('no plan is made of it, and what denies without a plan denies', () => {
		putTasks();
		spoil();
		expect(rig.hook('UserPromptSubmit', { prompt: 'build it' }).output).toBeNull();
		expect(existsSync(join(rig.project, '.vibe-engine/routing-state.json'))).toBe(false);
		rig.start('standard');
		expect(isDenied(rig.ask('tester'))).toBe(true);
	});
});

/** Where each file is spoilt, by a test that says what then happens. */
const SPOILT_IN: Record<string, readonly [test: string, words: string]> = {
	'routing-state.json': ['server/journal/incidents/gate-files.test.ts', 'a plan that denied work'],
	'auto-fix-state.json': ['server/journal/incidents/gate-files.test.ts', 'a repair that begins after a denial'],
	'workflow.json': ['server/journal/incidents/gate-files.test.ts', 'the workflow that denied a stop'],
	'loop.json': ['server/journal/incidents/gate-files.test.ts', '`loop.json` %s'],
	'timeline.jsonl': ['server/journal/incidents/gate-files.test.ts', "'the timeline'"],
	'tasks.md': ['server/journal/incidents/gate-files.test.ts', "'tasks.md'"],
	'tasks/*.yaml': ['server/journal/incidents/gate-files.test.ts', '`tasks/*.yaml` %s'],
	'supervisor-ID.json': ['server/journal/incidents/gate-files.test.ts', "'supervisor-ID.json'"],
	'`config.json` in the home': ['hooks-bridge/hook/fail-closed.test.ts', "the person's config is no JSON"],
	'.overtone/config.json': ['server/journal/incidents/incidents.test.ts', 'a config by which a hook was judged'],
	'hub-policy.json': ['server/edge/policy-cache.test.ts', 'a file that cannot be read is reported'],
	'.claude/settings.json': ['server/journal/incidents/incidents.test.ts', 'settings and configs that hold back less'],
	'bin/hook.sh': ['server/journal/incidents/incidents.test.ts', 'a hook file that was changed or removed'],
	'bridge.sock': ['server/journal/incidents/incidents.test.ts', 'a socket that was removed is put back'],
	'journal.db': ['server/journal/incidents/incidents.test.ts', 'a journal that is another file'],
	'server.lock': ['server/door/instance-lock.test.ts', 'in the place of the lock is moved aside'],
	'llm.key': ['server/reviewers/validators/spawn-validator.test.ts', '`llm.key` %s'],
	'`retention`': ['lib/retention/retention.test.ts', 'what cannot be read removes nothing'],
};

test('R2633 each file of the table is spoilt by a test', () => {
	const names = Object.keys(SPOILT_IN);
	for (const { file } of gateFiles) {
		const [name = ''] = names.filter((each) => file.includes(each));
		const [path = '', words = file] = SPOILT_IN[name] ?? [];
		expect([file, path]).not.toContain('');
		expect(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')).toContain(words);
	}
});

test('the rules of the table are rules of gates, and each file that is watched can be looked at', () => {
	const denies = [
		'routing-plan',
		'routing-enforcer',
		'stage-guard',
		'loop',
		'routing-completion',
		'supervisor',
	].flatMap((id) => Object.keys(gateById(id)?.denies ?? {}));
	for (const { file, rules = [], isLost } of gateFiles) {
		expect(denies).toEqual(expect.arrayContaining([...rules]));
		expect([file, rules.length > 0]).toEqual([file, isLost !== undefined]);
	}
});
