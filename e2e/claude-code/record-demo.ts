/*
 * Records the session that `signalbox demo` plays: the real client, the real hook, a scripted model.
 * `npm run build && npx tsx e2e/claude-code/record-demo.ts` (about a minute) writes server/cli/demo/session.jsonl.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hookEntries } from '#server/cli/init/hook-entries.ts';
import { demoFiles, demoPlan, demoPrompt, demoScript } from './demo-scenario.ts';
import { installClient } from './install-client.ts';
import { createProject } from './project.ts';
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

const project = createProject({ agents: ['planner', 'architect', 'developer', 'tester', 'reviewer'], plan: demoPlan });
for (const [path, text] of Object.entries(demoFiles)) project.write(path, text);
const recordings = join(project.root, 'recordings');
mkdirSync(recordings);
const recorderPath = join(project.root, 'recorder.mjs');
writeFileSync(recorderPath, recorder);
const handler = { type: 'command', command: `node ${recorderPath}`, timeout: 60 };
const hooks = Object.entries(hookEntries(120)).map(([event, group]) => [event, [{ ...group, hooks: [handler] }]]);
project.write('.claude/settings.json', JSON.stringify({ hooks: Object.fromEntries(hooks) }));

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
	.map((name) => JSON.parse(readFileSync(join(recordings, name), 'utf8')) as Capture)
	.sort((left, right) => left.t - right.t);

/** A person's machine instead of a temporary folder; the longer paths first. */
function sanitise(text: string): string {
	const slug = project.dir.replaceAll(/[^A-Za-z0-9]/g, '-');
	return text
		.replaceAll(project.dir, '/home/dev/shop')
		.replaceAll(slug, '-home-dev-shop')
		.replaceAll(project.home, '/home/dev')
		.replaceAll(project.root, '');
}

const seen = new Map<string, string>();
const lines: string[] = [];
for (const { t, input, files } of captures) {
	const at = t - (captures[0]?.t ?? t);
	for (const [path, text] of Object.entries(files)) {
		if (seen.get(path) === text) continue;
		seen.set(path, text);
		lines.push(sanitise(JSON.stringify({ at, file: path, text })));
	}
	lines.push(sanitise(JSON.stringify({ at, input })));
}
const target = join(REPOSITORY, 'server/cli/demo/session.jsonl');
mkdirSync(join(target, '..'), { recursive: true });
writeFileSync(target, `${lines.join('\n')}\n`);
project.remove();
console.log(
	`${captures.length} hook inputs in ${Math.round((captures.at(-1)?.t ?? 0) - (captures[0]?.t ?? 0)) / 1000} s: ${target}`,
);
