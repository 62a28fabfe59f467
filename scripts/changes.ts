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
	name: 'gate',
	most: 2,
	edits: [
		{
			path: 'lib/gates/no-publish/no-publish-gate.ts',
			text: `import { defineGate } from '../gate.ts';

/** Nobody publishes a package. */
export const noPublish = defineGate({
	id: 'no-publish',
	setting: 'noPublish',
	at: ['call'],
	deeds: ['run-command'],
	start: 'on',
	profile: 'open',
	rests: { guidance: 'It reads the line as it stands, which an agent can write in other ways.' },
	mayHold: true,
	settings: [],
	seed: 'none',
	denies: { 'publish.package': 'publishing a package' },
	fingerprint: ({ line }) => ({ key: \`publish \${line}\`, words: \`exactly \${line}\` }),
	judged: {
		facts(hook) {
			const line = hook.at === 'call' && hook.call.deed.does === 'run-command' ? (hook.call.deed.line ?? '') : '';
			return line.includes('npm publish') ? { line } : null;
		},
		judge: ({ line }: { line: string }) => {
			const reason = 'publishing a package';
			return { gate: 'no-publish', decision: 'deny', rule: 'publish.package', reason, facts: { line } };
		},
	},
});
`,
		},
		{
			path: 'lib/gates/gate-table.ts',
			before: 'import { routingCompletion }',
			text: "import { noPublish } from './no-publish/no-publish-gate.ts';\n",
		},
		{ path: 'lib/gates/gate-table.ts', before: '] as const satisfies readonly GateRow[]', text: '\tnoPublish,\n' },
		{
			path: 'lib/gates/no-publish/no-publish-gate.test.ts',
			text: `import { expect, test } from 'vitest';
import { readSettings } from '../../settings/settings.ts';
import { placesOf } from '../gate-places.ts';
import { gateById, gateTable, judgeHook, withFingerprint } from '../gate-table.ts';
import { callOf, contextWith } from '../testing/gate-rig.ts';

test('a gate denies, is switched, held, known again and installed', () => {
	const push = callOf('Bash', { does: 'run-command', line: 'npm publish' });
	const gates = readSettings(undefined, undefined).gates;
	const world = (noPublish: { enabled?: boolean; hold: boolean }) =>
		contextWith({ settings: { gates: { ...gates, noPublish }, onMismatch: 'deny', commands: { exclude: [] } } });
	const answer = judgeHook(push, world(gates.noPublish), { rows: gateTable });
	expect(answer?.decision).toMatchObject({ decision: 'deny', reason: 'publishing a package' });
	expect(answer?.verdict && withFingerprint(answer.verdict)).toMatchObject({ words: 'exactly npm publish' });
	expect(judgeHook(push, world({ enabled: false, hold: true }), { rows: gateTable })?.decision).toBeFalsy();
	const row = gateById('no-publish');
	expect(row && placesOf(row)).toMatchObject({ events: ['PreToolUse'], tools: ['Bash'] });
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
			before: '/**\n * Commands, labels, filters and documents read this table.',
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
