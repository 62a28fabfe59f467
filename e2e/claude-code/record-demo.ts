/*
 * Records the session that `signalbox demo` plays: the real client, the real hook, a scripted model. It is run twice,
 * the second time with the architect in the plan; from that run comes what happens when a person approves the call.
 * `npm run build && npx tsx e2e/claude-code/record-demo.ts` (two minutes) writes server/cli/demo/session.jsonl.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedStep } from '#server/cli/demo-hooks.ts';
import { hookEntries } from '#server/setup/hook-entries.ts';
import { demoFiles, demoPlan, demoPlanWithArchitect, demoPrompt, demoScript } from './demo-scenario.ts';
import { installClient } from './install-client.ts';
import { createProject, type RoutingPlan, type TestProject } from './project.ts';
import { runClient } from './run-client.ts';
import { startScriptedApi } from './scripted-api.ts';

interface Capture {
	t: number;
	input: Record<string, unknown>;
	/** Files that the hook reads beside its input, as they were at that moment. */
	files: Record<string, string>;
}

const REPOSITORY = join(import.meta.dirname, '../..');
const PLAN = '.vibe-engine/routing-state.json';

/** A hook that notes its input and what lies around it, then lets the real hook answer. */
const recorder = `import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const t = Date.now();
const raw = readFileSync(0, 'utf8');
const input = JSON.parse(raw);
const beside = join(String(input.transcript_path).replace(/\\.jsonl$/, ''), 'subagents');
const names = existsSync(beside) ? readdirSync(beside).filter((name) => name.endsWith('.meta.json')) : [];
const plan = join(process.env.CLAUDE_PROJECT_DIR, '${PLAN}');
const paths = [plan, ...names.map((name) => join(beside, name))].filter((path) => existsSync(path));
const files = Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
writeFileSync(join(process.env.RECORDINGS, t + '-' + process.pid + '.json'), JSON.stringify({ t, input, files }));
const { stdout } = spawnSync(process.execPath, [process.env.HOOK, '--offline', '--profile', 'open'], { input: raw });
process.stdout.write(stdout);
`;

/** A person's machine instead of a temporary folder; the longer paths first. */
function sanitise(text: string, project: TestProject): string {
	return text
		.replaceAll(project.dir, '/home/dev/shop')
		.replaceAll(project.dir.replaceAll(/[^A-Za-z0-9]/g, '-'), '-home-dev-shop')
		.replaceAll(project.home, '/home/dev')
		.replaceAll(project.root, '')
		.replaceAll(/\/tmp\/claude-\d+/g, '/tmp/claude-1000');
}

function prepare(plan: RoutingPlan): { project: TestProject; recordings: string } {
	const agents = ['planner', 'architect', 'developer', 'tester', 'reviewer'];
	const project = createProject({ agents, plan });
	for (const [path, text] of Object.entries(demoFiles)) project.write(path, text);
	const recordings = join(project.root, 'recordings');
	mkdirSync(recordings);
	const recorderPath = join(project.root, 'recorder.mjs');
	writeFileSync(recorderPath, recorder);
	const handler = { type: 'command', command: `node ${recorderPath}`, timeout: 60 };
	const hooks = Object.entries(hookEntries(120)).map(([event, groups]) => [
		event,
		groups.map((group) => ({ ...group, hooks: [handler] })),
	]);
	project.write('.claude/settings.json', JSON.stringify({ hooks: Object.fromEntries(hooks) }));
	return { project, recordings };
}

async function record(plan: RoutingPlan): Promise<RecordedStep[]> {
	const { project, recordings } = prepare(plan);
	const api = await startScriptedApi(demoScript(project.dir));
	const end = await runClient({
		client: await installClient(),
		project,
		apiUrl: api.url,
		prompt: demoPrompt,
		args: ['--allowedTools', 'Bash,Read,Edit,Write,Agent'],
		env: { RECORDINGS: recordings, HOOK: join(REPOSITORY, 'dist/hook.cjs') },
		limitMs: 180_000,
	}).ended;
	await api.close();
	if (end.exitCode !== 0) throw new Error(`The client ended with ${end.exitCode}: ${end.stderr || end.result}`);
	const captures = readdirSync(recordings)
		.map((name) => JSON.parse(sanitise(readFileSync(join(recordings, name), 'utf8'), project)) as Capture)
		.sort((left, right) => left.t - right.t);
	project.remove();
	return stepsOf(captures);
}

/** Inputs with the pause before each, and files whenever they had changed. */
function stepsOf(captures: readonly Capture[]): RecordedStep[] {
	const seen = new Map<string, string>();
	return captures.flatMap(({ t, input, files }, index) => {
		const changed = Object.entries(files).filter(([path, text]) => seen.get(path) !== text);
		for (const [path, text] of changed) seen.set(path, text);
		const wait = t - (captures[index - 1]?.t ?? t);
		return [...changed.map(([file, text]) => ({ wait: 0, file, text })), { wait, input }];
	});
}

/** The part of a run from the call of the architect to the end of the main agent's batch, both included. */
function architectPart(steps: readonly RecordedStep[]): { from: number; to: number } {
	const hook = (step: RecordedStep, name: string) => 'input' in step && step.input.hook_event_name === name;
	const from = steps.findIndex(
		(step) =>
			hook(step, 'PreToolUse') &&
			'input' in step &&
			(step.input.tool_input as { subagent_type?: string }).subagent_type === 'architect',
	);
	const to = steps.findIndex(
		(step, index) =>
			index > from && hook(step, 'PostToolBatch') && 'input' in step && step.input.agent_id === undefined,
	);
	return { from, to };
}

const denied = await record(demoPlan);
const approved = await record(demoPlanWithArchitect);
const [deniedPart, approvedPart] = [architectPart(denied), architectPart(approved)];
const [deniedCall, approvedCall] = [denied[deniedPart.from], approved[approvedPart.from]];
if (!deniedCall || !approvedCall || !('input' in deniedCall) || !('input' in approvedCall)) {
	throw new Error('The recording has no call of the architect.');
}
let branch = JSON.stringify(
	approved
		.slice(approvedPart.from + 1, approvedPart.to + 1)
		.filter((step) => 'input' in step || !step.file.endsWith(PLAN))
		.map((step) => ({ ...step, when: 'approved' })),
);
for (const key of ['session_id', 'prompt_id', 'tool_use_id']) {
	branch = branch.replaceAll(String(approvedCall.input[key]), String(deniedCall.input[key]));
}
const steps: RecordedStep[] = [
	...denied.slice(0, deniedPart.from),
	{ ...deniedCall, fork: true },
	...(JSON.parse(branch) as RecordedStep[]),
	...denied.slice(deniedPart.from + 1, deniedPart.to + 1).map((step): RecordedStep => ({ ...step, when: 'denied' })),
	...denied.slice(deniedPart.to + 1),
];
const target = join(REPOSITORY, 'server/cli/demo/session.jsonl');
mkdirSync(join(target, '..'), { recursive: true });
writeFileSync(target, steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
console.log(`${steps.length} steps: ${target}`);
