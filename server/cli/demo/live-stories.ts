import { REVIEW_RULE, SUPERVISOR_GATE } from '#lib/gates/supervisor/supervisor-gate.ts';
import { type StoryLine, usageLine } from './story.ts';

let calls = 0;

/** A call that runs for `seconds`, in a sub-agent or the main one. */
function call(tool: string, input: object, seconds: number, more: { agentId?: string; response?: unknown } = {}) {
	calls += 1;
	const same = { toolUseId: `toolu_story_${calls}`, tool, ...(more.agentId && { agentId: more.agentId }) };
	return [
		{ type: 'tool:call', ...same, input, after: 1 },
		{ type: 'tool:result', ...same, response: more.response ?? 'ok', durationMs: seconds * 1000, after: seconds },
		usageLine({ ...(more.agentId && { agentId: more.agentId }) }, seconds),
	] satisfies StoryLine[];
}

/** What its models take counts to the stage. */
const atStage = (stage: string, lines: StoryLine[]) =>
	lines.map((line) => (line.type === 'model:usage' ? { ...line, stage } : line));

/** A stage with its agent at work; `work` are its calls. */
function stage(name: string, agent: string, result: string, work: (agentId: string) => StoryLine[]): StoryLine[] {
	calls += 1;
	const agentId = `${agent}-${calls}`;
	return [
		{ type: 'stage:start', stage: name, after: 1 },
		{ type: 'agent:start', agent, stage: name, agentId, description: `${name}: gift cards` },
		...atStage(name, work(agentId)),
		{ type: 'agent:complete', agent, stage: name, agentId, result },
		{ type: 'stage:complete', stage: name, result },
	];
}

const start = (dir: string, branch: string, prompt: string): StoryLine[] => [
	{ type: 'session:start', cwd: dir, project: dir.slice(dir.lastIndexOf('/') + 1), branch, model: 'claude-opus-4-5' },
	{ type: 'prompt:submit', prompt, source: 'user' },
];

/** What has happened of the workflow before the page is open: it waits for its two judges. */
export const workflowBefore = (dir: string): StoryLine[] => [
	...start(dir, 'feat/gift-cards', 'Let people pay with gift cards.'),
	{
		...{ type: 'workflow:start', workflowType: 'standard', featureName: 'gift-cards' },
		stages: ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST', 'RETRO', 'DOCS'],
	},
	...stage('PLAN', 'planner', 'pass', (agentId) => call('Read', { file_path: `${dir}/src/pay.js` }, 40, { agentId })),
	...stage('ARCH', 'architect', 'pass', (agentId) => call('Grep', { pattern: 'pay(' }, 55, { agentId })),
	...stage('TEST', 'tester', 'pass', (agentId) =>
		call('Write', { file_path: `${dir}/test/gift-card.test.js`, content: "test('a gift card pays');\n" }, 70, {
			agentId,
		}),
	),
	...stage('DEV', 'developer', 'pass', (agentId) => [
		...call(
			'Edit',
			{ file_path: `${dir}/src/pay.js`, old_string: 'pay(total)', new_string: 'pay(total - card.balance)' },
			90,
			{ agentId },
		),
		...call('Bash', { command: 'npm test' }, 30, { agentId, response: '\u001b[32m12 passed\u001b[0m' }),
	]),
];

/** The workflow on the page: both judges at once, a stage that fails, its repair, and the judges again. */
export const workflowLive = (dir: string): StoryLine[] => [
	{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST:2'] },
	{ type: 'stage:start', stage: 'REVIEW' },
	{
		type: 'agent:start',
		agent: 'code-reviewer',
		stage: 'REVIEW',
		agentId: 'reviewer-live',
		description: 'Review the gift cards',
	},
	...stage('TEST:2', 'tester', 'fail', (agentId) =>
		call('Bash', { command: 'npm test -- gift-card' }, 14, {
			agentId,
			response: '\u001b[31m1 failed\u001b[0m: a card with too little pays the whole total',
		}),
	),
	...atStage('REVIEW', call('Read', { file_path: `${dir}/src/pay.js` }, 6, { agentId: 'reviewer-live' })),
	{ type: 'agent:complete', agent: 'code-reviewer', stage: 'REVIEW', agentId: 'reviewer-live', result: 'pass' },
	{ type: 'stage:complete', stage: 'REVIEW', result: 'pass' },
	{
		type: 'stage:retry',
		stage: 'TEST:2',
		failCount: 1,
		reason: 'a card with too little pays the whole total',
		after: 2,
	},
	...stage('DEV', 'developer', 'pass', (agentId) => [
		...call(
			'Edit',
			{
				file_path: `${dir}/src/pay.js`,
				old_string: 'total - card.balance',
				new_string: 'Math.max(0, total - card.balance)',
			},
			16,
			{ agentId },
		),
		...call('Bash', { command: 'npm test' }, 12, { agentId, response: '\u001b[32m14 passed\u001b[0m' }),
	]),
	...stage('TEST:2', 'tester', 'pass', (agentId) =>
		call('Bash', { command: 'npm test -- gift-card' }, 15, { agentId }),
	),
	...stage('RETRO', 'retrospective', 'issues', (agentId) =>
		call('Read', { file_path: `${dir}/NOTES.md` }, 8, { agentId }),
	),
	...stage('DOCS', 'doc-updater', 'pass', (agentId) =>
		call('Edit', { file_path: `${dir}/README.md`, old_string: 'Pay', new_string: 'Pay, also by gift card' }, 9, {
			agentId,
		}),
	),
	{ type: 'workflow:complete', workflowType: 'standard' },
	{ type: 'session:end', reason: 'exit', after: 15 },
];

/** An agent that says it is done, and a supervisor that disagrees: twice blocked, then let go. */
export const supervisedLive = (dir: string): StoryLine[] => {
	const review = (iteration: number, allow: boolean, feedback: string): StoryLine[] => [
		{ type: 'supervisor:review', hook: 'Stop', iteration, max: 20, after: 2 },
		{
			...{ type: 'gate:verdict', gate: SUPERVISOR_GATE, rule: REVIEW_RULE, hook: 'Stop', form: 'deny', noGrant: true },
			...{ decision: allow ? 'pass' : 'deny', reason: feedback, facts: { iteration, max: 20 }, durationMs: 9000 },
			after: 9,
		},
		{ type: 'supervisor:verdict', hook: 'Stop', iteration, max: 20, allow, feedback, durationMs: 9000 },
	];
	return [
		...start(dir, 'fix/rate-limit', 'The API answers 429 to our own health checks. Fix it.'),
		...call('Grep', { pattern: 'rateLimit' }, 3),
		...call(
			'Edit',
			{ file_path: `${dir}/src/limit.js`, old_string: 'limit(req)', new_string: 'isHealth(req) || limit(req)' },
			4,
		),
		...review(1, false, 'The tests were not run after the change. Run them, and say what they print.'),
		...call('Bash', { command: 'npm test' }, 12, { response: '\u001b[31m1 failed\u001b[0m, 31 passed' }),
		...review(2, false, 'One test fails: /healthz with a query is limited. It is not done.'),
		...call(
			'Edit',
			{ file_path: `${dir}/src/limit.js`, old_string: "=== '/healthz'", new_string: "path === '/healthz'" },
			5,
		),
		...call('Bash', { command: 'npm test' }, 12, { response: '\u001b[32m32 passed\u001b[0m' }),
		...review(3, true, 'All tests pass, and the reason is in the commit.'),
		{ type: 'session:end', reason: 'exit', after: 20 },
	];
};

/** An agent of another make: it edits by patches, and a command that must not run is denied while nobody is asked. */
export const codexLive = (dir: string): StoryLine[] => {
	const push = { toolUseId: 'call_story_push', tool: 'Bash' };
	const rule = 'command.excluded';
	const patch = (file: string, from: string, to: string) =>
		`*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n+${to}\n*** End Patch\n`;
	const lines: StoryLine[] = [
		...start(dir, 'main', 'Say in the guide how a refund is booked.'),
		...call('Bash', { command: 'rg -n refund src docs' }, 4, { response: 'src/refund.js:3\ndocs/guide.md:41' }),
		...call(
			'apply_patch',
			{ command: patch('docs/guide.md', 'Refunds: see the code.', 'A refund is booked once.') },
			6,
		),
		{ type: 'tool:call', ...push, input: { command: 'git push --force' }, does: 'run-command', after: 3 },
		{
			...{ type: 'gate:verdict', gate: 'command-policy', decision: 'deny', rule, toolUseId: push.toolUseId },
			...{ reason: 'git push is not allowed here', facts: {}, durationMs: 1, hook: 'PreToolUse', form: 'deny' },
		},
		...call('Bash', { command: 'git commit -am "docs: how a refund is booked"' }, 5),
		{ type: 'message:show', text: 'It is committed. Pushing is not allowed here, so that is left to you.', after: 2 },
		{ type: 'session:end', reason: 'exit', after: 4 },
	];
	return lines
		.filter(({ type }) => type !== 'model:usage')
		.map((line) => ({
			...line,
			make: 'codex',
			...(line.tool === 'apply_patch' && { does: 'edit-file' }),
			...('model' in line && { model: 'gpt-5.2-codex' }),
		}));
};

/**
 * Hook inputs of an agent that asks its person something: up to the question, which waits on Approvals, and from there
 * on. The tool runs only where it was answered.
 */
export function questionInputs(dir: string): { asks: Record<string, unknown>[]; answered: Record<string, unknown>[] } {
	const same = { session_id: 'demo-question', cwd: dir, permission_mode: 'default' };
	const options = [
		{ label: 'Postgres', description: 'full-text search is built in' },
		{ label: 'Meilisearch', description: 'typing errors are forgiven' },
	];
	const questions = [{ question: 'Which engine shall the search use?', header: 'Engine', multiSelect: false, options }];
	const ask = { ...same, tool_name: 'AskUserQuestion', tool_input: { questions } };
	return {
		asks: [
			{ ...same, hook_event_name: 'SessionStart', source: 'startup' },
			{ ...same, hook_event_name: 'UserPromptSubmit', prompt: 'Add a search to the catalogue.' },
			{ ...ask, hook_event_name: 'PreToolUse', tool_use_id: 'toolu_question' },
			{ ...ask, hook_event_name: 'PermissionRequest' },
		],
		answered: [{ ...ask, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_question', tool_response: 'answered' }],
	};
}

/** The end of that agent's session. */
export const questionEnd = (dir: string): Record<string, unknown>[] => [
	{ session_id: 'demo-question', cwd: dir, hook_event_name: 'Stop', stop_hook_active: false },
	{ session_id: 'demo-question', cwd: dir, hook_event_name: 'SessionEnd', reason: 'other' },
];
