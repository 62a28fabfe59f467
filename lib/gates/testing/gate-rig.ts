import type { HookAt } from '../../agents/agent-hook.ts';
import type { Deed } from '../../agents/tool-call.ts';
import { defineGate, type Fingerprint, type GateContext, type GateRow, type Verdict } from '../gate.ts';

/** A gate context with only the given parts. */
export function contextWith(given: Partial<GateContext> = {}): GateContext {
	return {
		project: '/shop',
		cwd: '/shop',
		settings: { gates: {}, onMismatch: 'stop', commands: { exclude: [] } },
		plan: () => null,
		workflow: () => null,
		canSandbox: () => true,
		programFile: () => null,
		isRepairing: () => false,
		loop: () => null,
		planRest: () => null,
		...given,
	};
}

/** A hook before a call of a tool. */
export function callOf(tool: string, deed: Deed, more: Partial<HookAt<'call'>> = {}): HookAt<'call'> {
	const call = { tool, input: null, deed };
	return { agent: 'claude-code', at: 'call', name: 'PreToolUse', sessionId: 's', raw: {}, call, ...more };
}

/** A call that starts a sub-agent of this type. */
export function agentCall(type: unknown, tool = 'Agent'): HookAt<'call'> {
	return callOf(tool, { does: 'start-agent', requestedAgent: { type: typeof type === 'string' ? type : null } });
}

/** A gate's own functions; throws for one that does not judge by itself. */
export function judgingOf<F extends object>(row: GateRow) {
	const { judgedBy, fingerprint } = row;
	if (typeof judgedBy === 'string') throw new Error(`${row.id} is judged ${judgedBy}`);
	return {
		factsOf: (hook: HookAt<'call'>, context: GateContext): F | null => judgedBy.facts(hook, context) as F | null,
		judge: (facts: F): Verdict => judgedBy.judge(facts),
		printOf: (facts: object): Fingerprint | null => fingerprint?.({ ...facts }) ?? null,
	};
}

/** Everything a new gate needs, except its line in the table: denies a push on a Friday, and asks about a fetch. */
export const noFridays = defineGate({
	id: 'no-fridays',
	setting: 'noFridays',
	at: ['call', 'agent-end'],
	deeds: ['run-command'],
	start: 'on',
	profile: 'open',
	basis: 'guard',
	mayHold: true,
	settings: [],
	seed: 'none',
	denies: { 'fridays.push': 'pushing on a Friday' },
	fingerprint: ({ line }) => ({ key: `friday ${line}`, words: `exactly ${line}` }),
	judgedBy: {
		facts: (hook) =>
			hook.at === 'call' && hook.call.deed.does === 'run-command' ? { line: hook.call.deed.line ?? '' } : null,
		judge: ({ line }: { line: string }): Verdict => ({
			gate: 'no-fridays',
			decision: line.startsWith('git push') ? 'deny' : line.startsWith('git fetch') ? 'ask' : 'pass',
			rule: 'fridays.push',
			reason: 'it is Friday',
			facts: { line },
		}),
	},
});
