/** One change of the product, as edits: a new file, or `text` right before the first place where `before` stands. */
interface Change {
	name: string;
	/** So many files of the product at most (docs/decisions/0030). */
	most: number;
	edits: readonly { path: string; before?: string; text: string }[];
}

const event: Change = {
	name: 'event type with a row',
	most: 2,
	edits: [
		{
			path: 'lib/contract/events/event-labels.ts',
			before: "'session:lost':",
			text: "'session:mood': label('Mood told', '心情', ['mood'], 'run'),\n\t",
		},
		{
			path: 'lib/contract/events/catalogue/session.ts',
			before: "'session:lost':",
			text: "'session:mood': { mood: z.string() },\n\t",
		},
		{
			path: 'lib/session/mood.test.ts',
			text: `import { expect, test } from 'vitest';
import { parseEvent } from '../contract/events/event.ts';
import { eventRow } from './row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';

test('an event type is read and has its row', () => {
	const line = { id: 'e1', ts: '2026-01-01T00:00:00.000Z', type: 'session:mood', category: 'session', label: 'x', sessionId: 's1' };
	const event = { ...parseEvent({ ...line, mood: 'glad' }), seq: 1 } as IndexedEvent;
	expect(eventRow(event)).toMatchObject({ title: 'glad', tone: 'run', shown: true });
	expect(parseEvent(line)).toMatchObject({ unknown: true });
});
`,
		},
	],
};

const gate: Change = {
	name: 'gate with a setting',
	most: 3,
	edits: [
		{
			path: 'lib/gates/protected-branches/protected-branches-gate.ts',
			text: `import { listCommands } from '../../commands/command-policy.ts';
import { sentence } from '../../messages/sentence.ts';
import { defineGate, verdictsOn } from '../gate.ts';
import { namesSetting, settingValue } from '../gate-setting.ts';

export const protectedBranches = namesSetting({
	path: 'gates.protectedBranches.branches',
	means: 'Branches that no forced push may name.',
	one: 'the name of a branch',
	many: 'names of branches',
	loosened: (branches) => sentence('{branches} may be pushed by force', { branches }),
	rehearsal: { fact: 'branches' },
});

interface PushFacts {
	line: string;
	branches: readonly string[];
}

const isForced = (word: string | null) => word === '-f' || (word?.startsWith('--force') ?? false);

/** Nobody pushes by force to a branch that is named. */
export const protectedBranchesGate = defineGate({
	id: 'protected-branches',
	setting: 'protectedBranches',
	at: ['call'],
	deeds: ['run-command'],
	start: 'on',
	profile: 'open',
	basis: 'guard',
	mayHold: true,
	settings: [protectedBranches],
	seed: 'none',
	denies: { 'push.forced': 'a forced push to a protected branch' },
	fingerprint: ({ line }) => ({ key: \`push \${line}\`, words: \`exactly \${line}\` }),
	judgedBy: {
		facts(hook, { settings }): PushFacts | null {
			const branches = settingValue(protectedBranches, settings);
			if (branches.length === 0 || hook.at !== 'call' || hook.call.deed.does !== 'run-command') return null;
			const line = hook.call.deed.line ?? '';
			return line.includes('git') ? { line, branches } : null;
		},
		judge(facts: PushFacts) {
			const verdict = verdictsOn('protected-branches', 'push', facts);
			const forced = listCommands(facts.line).commands.some(
				([program, , ...words]) =>
					program === 'git' && words.some(isForced) && words.some((word) => facts.branches.includes(word ?? '')),
			);
			return forced ? verdict('deny', 'forced', 'a protected branch is pushed by force') : verdict('pass', 'clear', 'no forced push');
		},
	},
});
`,
		},
		{
			path: 'lib/gates/gate-table.ts',
			before: 'import { routingCompletion }',
			text: "import { protectedBranchesGate } from './protected-branches/protected-branches-gate.ts';\n",
		},
		{
			path: 'lib/gates/gate-table.ts',
			before: '] as const satisfies readonly GateRow[]',
			text: '\tprotectedBranchesGate,\n',
		},
		{
			path: 'lib/gates/gate-title.ts',
			before: "'command-policy': 'Commands",
			text: "'protected-branches': 'Branches that nobody pushes by force',\n\t",
		},
		{
			path: 'lib/gates/gate-title.ts',
			before: "'command-policy': 'A shell",
			text: "'protected-branches': 'A forced push to a branch of your list is denied.',\n\t",
		},
		{
			path: 'lib/messages/chinese/guard.ts',
			before: "'Commands that must not run'",
			text: `'Branches that nobody pushes by force': '禁止强制推送的分支',
	'A forced push to a branch of your list is denied.': '强制推送到您列出的分支会被拒绝。',
	'a forced push to a protected branch': '强制推送到受保护的分支',
	'{branches} may be pushed by force': '可以强制推送 {branches}',
	`,
		},
		{
			path: 'lib/gates/protected-branches/protected-branches-gate.test.ts',
			text: `import { expect, test } from 'vitest';
import { parseEvent } from '../../contract/events/event.ts';
import type { IndexedEvent } from '../../contract/sessions/read-model/session-view.ts';
import { withRejudgeSetting } from '../../rejudge/rejudge-settings.ts';
import { rejudgeAll } from '../../rejudge/testing/rejudge-all.ts';
import { looserIn, readPolicyBody } from '../../settings/policy-settings.ts';
import { loosenedBy, readSettings } from '../../settings/settings.ts';
import { judgeHook, withFingerprint } from '../gate-table.ts';
import { callOf, contextWith } from '../testing/gate-rig.ts';

const set = (...branches: string[]) => JSON.stringify({ gates: { protectedBranches: { branches } } });
const path = 'gates.protectedBranches.branches';

test('a gate denies by its setting, which is merged, tightened, compared and tried on history', () => {
	const decide = (line: string, home: string, project?: string) =>
		judgeHook(callOf('Bash', { does: 'run-command', line }), contextWith({ settings: readSettings(home, project) }));
	const denied = decide('cd a && git push -f origin main', set('main'));
	expect(denied?.decision).toMatchObject({ decision: 'deny', reason: 'a protected branch is pushed by force' });
	expect(denied && withFingerprint(denied.verdict)).toMatchObject({ words: expect.stringContaining('git push') });
	expect(decide('git push -f origin next', set('main'), set('next'))?.verdict.decision).toBe('deny');
	expect(decide('git push origin main', set('main'))?.verdict.decision).toBe('pass');
	expect(decide('git push -f origin main', '{}')).toBeNull();
	expect(readSettings(set('a b'), undefined).problems).toHaveLength(1);

	const before = readSettings(set('main'), undefined);
	expect(loosenedBy(before, readSettings('{}', undefined))).toMatchObject([{ values: { branches: 'main' } }]);
	const policy = readPolicyBody({ [path]: ['main'] });
	if ('problem' in policy) throw new Error(policy.problem);
	expect([looserIn(policy.body), looserIn({}, policy.body)]).toEqual([[], [path]]);
	const held = readSettings('{}', undefined, { body: policy.body, mayLoosen: false });
	expect(held.values?.[path]).toEqual(['main']);

	const call = { type: 'tool:call', toolUseId: 't', tool: 'Bash', input: { command: 'git push -f origin main' } };
	const line = { id: 'e', ts: '2026-01-01T00:00:00.000Z', sessionId: 's', category: '', label: '', ...call };
	const tried = withRejudgeSetting({ enabled: new Map() }, path, ['main']);
	if ('wrong' in tried) throw new Error(tried.wrong);
	const events = [{ ...parseEvent(line), seq: 1 } as IndexedEvent];
	expect(rejudgeAll(events, tried).changed).toMatchObject([{ rule: 'push.forced', after: 'deny' }]);
});
`,
		},
	],
};

const agent: Change = {
	name: 'make of agent',
	most: 4,
	edits: [
		{
			path: 'lib/agents/agent-table.ts',
			before: 'export const codexRow = {',
			text: `/** A make that speaks as Claude Code does. */
export const echoRow = {
	name: 'echo',
	title: 'Echo',
	seen: { read: '1.0' },
	tools: { 'run-command': ['shell'] },
	events: sharedEvents,
	can: { ...denyAlone, edit: false, rewrites: false, prompts: false },
} as const satisfies AgentRow;

`,
		},
		{ path: 'lib/agents/agent-table.ts', before: '] as const satisfies readonly AgentRow[]', text: '\techoRow,\n' },
		{
			path: 'hooks-bridge/agents/echo/echo.ts',
			text: `import { echoRow } from '#lib/agents/agent-table.ts';
import type { Json } from '#lib/json/json.ts';
import { isNo, reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';

const denied = (reason: string): Json => ({ deny: reason });
const shapes: Shapes = {
	call: (said) => (isNo(said) ? denied(reasonOf(said)) : null),
	permission: () => null,
	block: (reason) => ({ block: reason }),
	context: (context) => ({ context }),
	listens: [],
	denied,
};

/** Echo. */
export const echo = sharedAdapter({ row: echoRow, shapes, inEnvelope: ['session_id', 'cwd', 'hook_event_name'] });
`,
		},
		{
			path: 'hooks-bridge/agents/echo/setup.ts',
			text: `import { type AgentSetup, groupsOf } from '../agent-setup.ts';

/** Echo: its settings, in seconds. */
export const echoSetup: AgentSetup = {
	program: 'echo-agent',
	folder: { at: '.echo' },
	signs: ['.echo'],
	hooks: { file: 'hooks.json', groups: (entries) => groupsOf(entries) },
	limits: [],
};
`,
		},
		{
			path: 'hooks-bridge/agents/other-makes.ts',
			before: 'import { gemini }',
			text: "import { echo } from './echo/echo.ts';\nimport { echoSetup } from './echo/setup.ts';\n",
		},
		{ path: 'hooks-bridge/agents/other-makes.ts', before: 'codex, gemini', text: 'echo, ' },
		{ path: 'hooks-bridge/agents/other-makes.ts', before: 'codex: codexSetup', text: 'echo: echoSetup,\n\t' },
		{
			path: 'hooks-bridge/agents/echo/echo.test.ts',
			text: `import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderAgentsDoc } from '../../../scripts/agents-doc.ts';
import { dispatch } from '../../../server/cli/dispatch.ts';
import { adapterOf } from '../adapter-of.ts';
import { setupOf } from '../setup-of.ts';

test('a make is read, answered, set up, listed and documented', async () => {
	const read = adapterOf('echo').read({
		...{ session_id: 's1', cwd: '/shop', hook_event_name: 'PreToolUse' },
		...{ tool_name: 'shell', tool_input: { command: 'rm x' }, tool_use_id: 't1' },
	});
	if (!read.ok) throw new Error(read.reason);
	expect(read.hook).toMatchObject({ agent: 'echo', at: 'call', call: { deed: { does: 'run-command', line: 'rm x' } } });
	expect(adapterOf('echo').print({ decision: 'deny', reason: 'no' }, read.hook)).toEqual({ deny: 'no' });
	expect(setupOf('echo').program).toBe('echo-agent');
	expect(renderAgentsDoc()).toContain('Echo');
	const home = mkdtempSync(join(tmpdir(), 'sbx-echo-'));
	const out: string[] = [];
	const terminal = { env: { HOME: home }, cwd: home, print: (line: string) => out.push(line), say: () => 0 };
	expect(await dispatch(['init', '--agent', 'echo', '--print'], terminal)).toBe(0);
	expect(out.join()).toContain('echo || exit 0');
	rmSync(home, { recursive: true });
});
`,
		},
	],
};

const page: Change = {
	name: 'page with a shortcut',
	most: 3,
	edits: [
		{
			path: 'app/notes/page.tsx',
			text: `import { NotesPage } from '#components/notes/notes-page.tsx';

export default function Notes() {
	return <NotesPage />;
}
`,
		},
		{
			path: 'components/notes/notes-page.tsx',
			text: `'use client';
import { useSay } from '../language/use-say.ts';

/** What people wrote down. */
export function NotesPage() {
	const say = useSay();
	return <h1 className="p-4">{say('Notes')}</h1>;
}
`,
		},
		{
			path: 'components/ui/keys/shortcuts.ts',
			before: "pageLink('/status'",
			text: "{ ...pageLink('/notes', 'Notes', 'Go to notes', 'n', 'M4 4h16v16H4z'), atHub: true },\n\t",
		},
		{
			path: 'lib/messages/chinese/frame.ts',
			before: "Rules: '规则'",
			text: "Notes: '笔记',\n\t'Go to notes': '前往笔记',\n\t",
		},
		{
			path: 'components/notes/notes-page.test.tsx',
			text: `import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import Notes from '../../app/notes/page.tsx';
import { paletteParts } from '../frame/palette/palette-items.ts';
import { allShortcuts, placesAt } from '../ui/keys/shortcuts.ts';

test('a page is drawn, found in the palette and reached by its shortcut', () => {
	expect(renderToStaticMarkup(<Notes />)).toContain('Notes');
	const places = placesAt(true, []);
	expect(allShortcuts(places).find(({ keys }) => keys.includes('g n'))).toMatchObject({ label: 'Go to notes' });
	const [pages] = paletteParts('notes', { sessions: [], features: [], recent: [], places, isHub: true });
	expect(pages?.items).toMatchObject([{ href: '/notes', keys: ['g', 'n'] }]);
});
`,
		},
	],
};

/** The four changes that the house is measured by. */
export const changes: readonly Change[] = [event, gate, agent, page];
