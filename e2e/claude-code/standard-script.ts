import { type Gate, gate } from '#e2e/rig/gate.ts';
import { type Block, call, delegate, replyText, roleMarker, type Script, type ScriptedReply } from './script.ts';

/** Moments that the test decides: until then the agent of that name, or the main agent, has not answered. */
export const MOMENTS = [
	...['planner', 'developer', 'code-reviewer', 'tester', 'repair', 'debugger', 'developer-again'],
	...['code-reviewer-again', 'tester-again', 'converged', 'retrospective', 'doc-updater'],
] as const;

/** The turns of the main agent at which a test looks at what it has read. */
export const TURNS = { afterStop: 5, oneFailed: 9, bothFailed: 10, causeFound: 11, secondStop: 15 } as const;

/** One run of a stage's agent; `role` names the run, so that a second one may end otherwise. */
const asks = (agent: string, role = agent, options?: { background?: boolean }): Block =>
	delegate(`ot:${agent}`, `Work as ${role}.\n${roleMarker(role)}`, options);
const inFront = (agent: string, role?: string): ScriptedReply => ({
	blocks: [asks(agent, role, { background: false })],
});

/** How an agent ends: with a word of its own, its handoff and its verdict, as the agents of the plugin are asked to. */
function ends(role: string, verdict: string, after?: Gate): ScriptedReply[] {
	const text = [
		`${role} has ended with ${verdict}.`,
		`## HANDOFF: ${role} → next`,
		`### Findings\nWhat ${role} found.`,
		`<!-- VERDICT: {"result": "${verdict}"} -->`,
	].join('\n\n');
	return [{ blocks: [{ text }], ...(after && { after: after.opened }) }];
}

/**
 * A whole `standard` workflow: agents in front and in the background, the tests failing and the review rejecting side
 * by side, a repair, and the group once more. `start` is the shell command that starts the workflow.
 */
export function standardScript(start: string): { script: Script; held: Record<string, Gate> } {
	const held: Record<string, Gate> = Object.fromEntries(MOMENTS.map((moment) => [moment, gate()]));
	const main: ScriptedReply[] = [
		call('Bash', { command: start }),
		inFront('planner'),
		inFront('architect'),
		inFront('tester', 'tester-spec'),
		replyText('The tests are written. Shall I go on?'),
		{ blocks: [asks('developer')] },
		replyText('The developer works.'),
		{ blocks: [asks('code-reviewer'), asks('tester')] },
		replyText('Both are at work.'),
		replyText('The tests fail; the review goes on.'),
		{ blocks: [asks('debugger', 'debugger', { background: false })], after: held.repair?.opened },
		inFront('developer', 'developer-again'),
		{ blocks: [asks('code-reviewer', 'code-reviewer-again'), asks('tester', 'tester-again')] },
		replyText('Both are at work again.'),
		{ blocks: [{ text: 'The tests pass; the review goes on.' }], after: held.converged?.opened },
		inFront('retrospective'),
		inFront('doc-updater'),
		replyText('The login is built.'),
	];
	const verdicts = { tester: 'FAIL', 'code-reviewer': 'REJECT' } as Record<string, string>;
	const roles = ['architect', 'tester-spec', ...MOMENTS];
	const agents = roles.map((role) => [role, ends(role, verdicts[role] ?? 'PASS', held[role])] as const);
	return { script: { ...Object.fromEntries(agents), main }, held };
}
