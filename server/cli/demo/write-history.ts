import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { createNodePorts } from '#hooks-bridge/disk/node-ports.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { commandPolicy } from '#lib/gates/command-policy/command-policy-gate.ts';
import { syncArchive } from '../../features/archive-sync.ts';
import { type StoryLine, stageLines, writeStory } from './story.ts';

const STAGES = ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST', 'RETRO', 'DOCS'];
const DAY_MS = 24 * 3_600_000;

const begin = (cwd: string, prompt: string): StoryLine[] => [
	{ type: 'session:start', cwd, project: 'shop', branch: 'feat/cart', model: 'claude-opus-4-5' },
	{ type: 'prompt:submit', prompt, source: 'user' },
	{ type: 'workflow:start', workflowType: 'standard', stages: STAGES, featureName: 'cart' },
];
const end: StoryLine[] = [
	{ type: 'workflow:complete', workflowType: 'standard' },
	{ type: 'session:end', reason: 'exit', after: 3 },
];

/** The first cart: straight through its stages. */
const firstCart = (cwd: string): StoryLine[] => [
	...begin(cwd, 'Build the cart'),
	...stageLines('PLAN', 'planner', 'pass', 40),
	...stageLines('ARCH', 'architect', 'pass', 65),
	...stageLines('TEST', 'tester', 'pass', 50),
	...stageLines('DEV', 'developer', 'pass', 210),
	{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST:2'] },
	...stageLines('REVIEW', 'code-reviewer', 'pass', 45),
	...stageLines('TEST:2', 'tester', 'pass', 60),
	...stageLines('RETRO', 'retrospective', 'pass', 15),
	...stageLines('DOCS', 'doc-updater', 'pass', 25),
	...end,
];

/** A command that the policy denied that day, by its own words. */
function denied(line: string, exclude: readonly string[]): StoryLine[] {
	if (typeof commandPolicy.judged === 'string') return [];
	const verdict = commandPolicy.judged.judge({ project: '', cwd: '', line, exclude });
	const call = { toolUseId: 'cart-denied', tool: 'Bash' };
	return [
		{ type: 'tool:call', ...call, input: { command: line }, after: 4 },
		{ type: 'gate:verdict', ...call, hook: 'PreToolUse', ...verdict, durationMs: 1 },
	];
}

/** A command that nothing spoke against that day. */
const ran = (command: string): StoryLine[] => [
	{ type: 'tool:call', toolUseId: 'cart-ran', tool: 'Bash', input: { command }, after: 4 },
	{ type: 'tool:result', toolUseId: 'cart-ran', tool: 'Bash', response: 'ok', after: 2 },
];

/** The second one: a command that is denied, a review that rejects, tests that fail, and the way back. */
const secondCart = (cwd: string): StoryLine[] => [
	...begin(cwd, 'Build the cart again, with taxes'),
	...stageLines('PLAN', 'planner', 'pass', 45),
	...stageLines('ARCH', 'architect', 'pass', 60),
	...stageLines('TEST', 'tester', 'pass', 55),
	...denied('sudo npm install --global tax-rates', ['sudo']),
	...ran('git push --force origin feat/cart'),
	...stageLines('DEV', 'developer', 'pass', 180),
	{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST:2'] },
	...stageLines('REVIEW', 'code-reviewer', 'reject', 40),
	...stageLines('TEST:2', 'tester', 'fail', 70),
	{ type: 'stage:retry', stage: 'TEST:2', failCount: 1, reason: 'the total ignores the tax' },
	...stageLines('DEV', 'developer', 'pass', 150),
	...stageLines('REVIEW', 'code-reviewer', 'pass', 35),
	...stageLines('TEST:2', 'tester', 'pass', 60),
	...stageLines('RETRO', 'retrospective', 'issues', 20),
	...stageLines('DOCS', 'doc-updater', 'pass', 25),
	...end,
];

/**
 * Two archived features of one name below `home`, as if they had been built and archived in the last two weeks: what
 * can be compared. `project` is the folder that they belong to.
 */
export async function writeHistory(home: string, project: string, now: number): Promise<void> {
	const ports = createNodePorts({ home });
	try {
		for (const [sessionId, lines, daysAgo, text] of [
			['cart-first', firstCart(project), 12, 'People collect items and see the total.'],
			['cart-again', secondCart(project), 5, 'People collect items and see the total, with taxes.'],
		] as const) {
			const start = now - daysAgo * DAY_MS;
			writeStory(home, sessionId, start, lines);
			put(project, 'tasks.md', tasksOf(new Date(start).toISOString()));
			put(project, 'proposal.md', `# A cart\n\n${text}\n`);
			const world = { home, now: () => start + 2 * 3_600_000, append: ports.append, found: [sessionId] };
			const outcome = archiveFeature(project, 'cart', world);
			if (!outcome.ok) throw new Error(`The demo's feature was not archived: ${outcome.detail}`);
			await syncArchive(outcome.id, { home, proofOf: () => ({ kind: 'unknown', redacted: [] }) });
		}
	} finally {
		ports.close();
	}
}

const tasksOf = (created: string) =>
	`---\nfeature: cart\nworkflow: standard\ncreated: ${created}\n---\n${[...new Set(STAGES)].map((stage) => `- [x] ${stage}\n`).join('')}`;

function put(project: string, name: string, text: string): void {
	const path = join(project, 'specs/features/in-progress/cart', name);
	makeFolder(dirname(path), 0o777);
	writeFileSync(path, text);
}
