import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type StoryLine, stageLines, writeStory } from '#server/testing/story.ts';

const STAGES = ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST', 'RETRO', 'DOCS'];
const HOUR_MS = 3_600_000;

const task = (text: string, isDone: boolean) => `- [${isDone ? 'x' : ' '}] ${text}\n`;
const tasks = (feature: string, open: readonly string[]) =>
	`---\nfeature: ${feature}\nworkflow: standard\n---\n${[...new Set(STAGES)].map((stage) => task(stage, !open.includes(stage))).join('')}`;

/** The first session of the cart: a plan, a denied push, and a stop by a person. */
const design = (cwd: string): StoryLine[] => [
	{ type: 'session:start', cwd, project: 'shop', branch: 'feat/cart' },
	{ type: 'prompt:submit', prompt: 'Design the cart and plan the work', source: 'user' },
	{ type: 'workflow:start', workflowType: 'standard', stages: STAGES, featureName: 'cart' },
	{ type: 'loop:start', workflowType: 'standard' },
	...stageLines('PLAN', 'planner', 'pass'),
	...stageLines('ARCH', 'architect', 'pass', 45),
	{ type: 'command:block', command: 'git push', reason: 'pushing is not allowed', after: 5 },
	{ type: 'handoff:create', from: 'architect', to: 'tester', path: 'handoffs/architect-to-tester.md' },
	{ type: 'session:end', reason: 'exit', after: 10 },
];

/** The second one: both judges find something, the loop goes on, and it ends well. */
const build = (cwd: string): StoryLine[] => [
	{ type: 'session:start', cwd, project: 'shop', branch: 'feat/cart' },
	{ type: 'prompt:submit', prompt: 'Build the cart', source: 'user' },
	{ type: 'workflow:start', workflowType: 'standard', stages: STAGES, featureName: 'cart' },
	...stageLines('PLAN', 'planner', 'pass', 8),
	...stageLines('ARCH', 'architect', 'pass', 8),
	...stageLines('TEST', 'tester', 'pass', 30),
	...stageLines('DEV', 'developer', 'pass', 140),
	{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST:2'] },
	...stageLines('REVIEW', 'code-reviewer', 'reject', 25),
	...stageLines('TEST:2', 'tester', 'fail', 40),
	{ type: 'stage:retry', stage: 'TEST:2', failCount: 1, reason: 'the total ignores the tax' },
	{ type: 'loop:advance', iteration: 1, progress: '8/16' },
	...stageLines('DEV', 'developer', 'pass', 60),
	...stageLines('REVIEW', 'code-reviewer', 'pass', 20),
	...stageLines('TEST:2', 'tester', 'pass', 35),
	...stageLines('RETRO', 'retrospective', 'issues', 10),
	...stageLines('DOCS', 'doc-updater', 'pass', 15),
	{ type: 'loop:complete', iteration: 2, reason: 'complete' },
	{ type: 'workflow:complete', workflowType: 'standard' },
	{ type: 'session:end', reason: 'exit', after: 3 },
];

/** A workflow that runs: both judges found something, and the developer is at work again. */
const running = (cwd: string): StoryLine[] => [
	...build(cwd).slice(0, 3),
	{ type: 'loop:start', workflowType: 'standard' },
	...build(cwd).slice(3, 4 * 6 + 3 + 1 + 2 * 6 + 2),
	{ type: 'stage:start', stage: 'DEV', after: 4 },
	{ type: 'agent:start', agent: 'developer', stage: 'DEV', agentId: 'dev-2' },
];

const aborted = (cwd: string): StoryLine[] => [
	...build(cwd).slice(0, 3),
	...stageLines('PLAN', 'planner', 'pass', 8),
	{ type: 'stage:start', stage: 'ARCH', after: 3 },
	{ type: 'workflow:abort', workflowType: 'standard', reason: 'stopped by a person', after: 20 },
	{ type: 'session:end', reason: 'exit', after: 3 },
];

/**
 * Writes sessions with workflows and the features that they worked on: `cart` is ready to be archived. `dir` is the
 * project's folder.
 */
export function writeFeatures(home: string, dir: string): void {
	const writeText = (path: string, text: string) => {
		mkdirSync(dirname(join(dir, path)), { recursive: true });
		writeFileSync(join(dir, path), text);
	};
	const folder = 'specs/features';
	writeText(`${folder}/in-progress/cart/tasks.md`, tasks('cart', []));
	writeText(
		`${folder}/in-progress/cart/proposal.md`,
		'# A cart\n\nPeople collect items and see the total.\n\n- an item is in it once, with a count\n- the total has the tax\n\n<!-- VERDICT: {"result": "PASS"} -->\n',
	);
	writeText(`${folder}/in-progress/cart/design.md`, '# Design\n\nA map from item to count.\n');
	writeText(`${folder}/in-progress/checkout/tasks.md`, tasks('checkout', ['RETRO', 'DOCS', 'REVIEW']));
	writeText(`${folder}/paused/search/tasks.md`, tasks('search', STAGES.slice(1)));
	writeText(`${folder}/backlog/invoices/tasks.md`, tasks('invoices', STAGES));
	mkdirSync(join(home, 'sessions/cart-design/handoffs'), { recursive: true });
	const handoff = '## HANDOFF\n\nMind the tax.\n\n<!-- VERDICT: {"result": "PASS"} -->\n';
	writeFileSync(join(home, 'sessions/cart-design/handoffs/architect-to-tester.md'), handoff);
	const now = Date.now();
	writeStory(home, 'cart-design', now - 26 * HOUR_MS, design(dir));
	writeStory(home, 'cart-build', now - 2 * HOUR_MS, build(dir));
	writeStory(home, 'checkout', now - HOUR_MS / 5, onFeature('checkout', running(dir)));
	writeStory(home, 'aborted', now - HOUR_MS / 4, onFeature('search', aborted(dir)));
}

const onFeature = (featureName: string, lines: readonly StoryLine[]): StoryLine[] =>
	lines.map((line) => ({
		...line,
		...('featureName' in line && { featureName }),
		...('prompt' in line && { prompt: `Build the ${featureName}` }),
	}));
