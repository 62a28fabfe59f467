import { printable } from '../../text/printable.ts';
import { type CompletionFacts, defineGate, PLAN_IS_A_FILE, type Verdict } from '../gate.ts';

export const COMPLETION_GATE = 'routing-completion';
const SHOWN = 5;

export interface CompletionVerdict extends Verdict {
	end: 'retry' | 'completed' | 'failed' | null;
}

/** The agent does not stop while an active plan has open tasks, up to the plan's number of retries. */
export function judgeCompletion(facts: CompletionFacts): CompletionVerdict {
	const completionVerdict = (end: CompletionVerdict['end'], rule: string, reason: string): CompletionVerdict => ({
		gate: COMPLETION_GATE,
		decision: end === 'retry' ? 'deny' : 'pass',
		rule: `routing.${rule}`,
		reason,
		facts: { ...facts, open: facts.open.slice(0, 20) },
		end,
	});
	const planId = printable(facts.planId, 100);
	if (facts.running > 0)
		return completionVerdict(null, 'agents-running', `${facts.running} agents still work in the background`);
	if (facts.declared)
		return completionVerdict('completed', 'declared', `the agent declared the plan ${planId} complete`);
	if (facts.open.length === 0)
		return completionVerdict('completed', 'no-open-task', `the plan ${planId} has no open task`);
	const open = `${facts.open.length} tasks of the plan ${planId} are open`;
	if (facts.retry + 1 < facts.maxRetries) return completionVerdict('retry', 'open-tasks', open);
	return completionVerdict('failed', 'retries-used-up', `${open} after ${facts.retry} retries`);
}

export function completionDirective(facts: CompletionFacts): string {
	const shown = facts.open.slice(0, SHOWN).map((task) => `- ${printable(task, 200)}`);
	const more = facts.open.length - shown.length;
	return [
		`The routing plan ${printable(facts.planId, 100)} is not finished (retry ${facts.retry + 1} of ${facts.maxRetries}). Delegate its open tasks:`,
		...shown,
		...(more > 0 ? [`… and ${more} more`] : []),
	].join('\n');
}

export const routingCompletion = defineGate({
	id: COMPLETION_GATE,
	setting: 'routingCompletion',
	at: ['turn-end'],
	deeds: [],
	start: { where: 'the plan has `maxRetries`' },
	profile: 'open',
	basis: PLAN_IS_A_FILE,
	mayHold: false,
	settings: [],
	seed: '000',
	denies: { 'routing.open-tasks': 'stopping while tasks of the active plan are open' },
	judgedBy: {
		facts(_hook, { planRest }) {
			const rest = planRest();
			return rest && rest.running === 0 ? rest : null;
		},
		judge(facts: CompletionFacts) {
			const { end: _end, ...verdict } = judgeCompletion(facts);
			return verdict;
		},
		directive: completionDirective,
	},
});
