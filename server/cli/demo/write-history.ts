import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { commandPolicy } from '#lib/gates/command-policy/command-policy-gate.ts';
import { syncArchive } from '../../archives/features/archive-sync.ts';
import { type StoryLine, stageLines, usageLine, writeStory } from './story.ts';

const STAGES = ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST', 'RETRO', 'DOCS'];
const DAY_MS = 24 * 3_600_000;
/** Seconds from the end of the work until the feature is archived. */
const ARCHIVED_AFTER = 60;

const begin = (cwd: string, prompt: string): StoryLine[] => [
	{ type: 'session:start', cwd, project: 'shop', branch: 'feat/cart', model: 'claude-opus-4-5' },
	{ type: 'prompt:submit', prompt, source: 'user' },
	{ type: 'workflow:start', workflowType: 'standard', stages: STAGES, featureName: 'cart' },
];
const end: StoryLine[] = [
	{ type: 'workflow:complete', workflowType: 'standard' },
	{ type: 'session:end', reason: 'exit', after: 3 },
];

/** A stage done, with what its agent's model took. */
function doneStage(stage: string, agent: string, result: string, seconds: number, run = 1): StoryLine[] {
	return stageLines(stage, agent, result, seconds, run).flatMap((line) =>
		line.type === 'tool:result' ? [line, usageLine({ agentId: String(line.agentId), stage }, seconds)] : [line],
	);
}

/** The first cart: straight through its stages. */
const firstCart = (cwd: string): StoryLine[] => [
	...begin(cwd, 'Build the cart'),
	...doneStage('PLAN', 'planner', 'pass', 40),
	...doneStage('ARCH', 'architect', 'pass', 65),
	...doneStage('TEST', 'tester', 'pass', 50),
	...doneStage('DEV', 'developer', 'pass', 210),
	{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST:2'] },
	...doneStage('REVIEW', 'code-reviewer', 'pass', 45),
	...doneStage('TEST:2', 'tester', 'pass', 60),
	...doneStage('RETRO', 'retrospective', 'pass', 15),
	...doneStage('DOCS', 'doc-updater', 'pass', 25),
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
	...doneStage('PLAN', 'planner', 'pass', 45),
	...doneStage('ARCH', 'architect', 'pass', 60),
	...doneStage('TEST', 'tester', 'pass', 55),
	...denied('sudo npm install --global tax-rates', ['sudo']),
	...ran('git push --force origin feat/cart'),
	...doneStage('DEV', 'developer', 'pass', 180),
	{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST:2'] },
	...doneStage('REVIEW', 'code-reviewer', 'reject', 40),
	...doneStage('TEST:2', 'tester', 'fail', 70),
	{ type: 'stage:retry', stage: 'TEST:2', failCount: 1, reason: 'the total ignores the tax' },
	...doneStage('DEV', 'developer', 'pass', 150, 2),
	...doneStage('REVIEW', 'code-reviewer', 'pass', 35),
	...doneStage('TEST:2', 'tester', 'pass', 60),
	...doneStage('RETRO', 'retrospective', 'issues', 20),
	...doneStage('DOCS', 'doc-updater', 'pass', 25),
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
			const took = lines.reduce((sum, { after = 0 }) => sum + after, 0);
			const world = {
				home,
				now: () => start + (took + ARCHIVED_AFTER) * 1000,
				append: ports.append,
				found: [sessionId],
			};
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
