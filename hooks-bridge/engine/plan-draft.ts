import type { PlanPhase } from '#lib/contract/catalogue/judgement.ts';
import { clip } from '#lib/text/printable.ts';
import type { HookInput } from '../agents/claude-code/read-input.ts';
import { contentId } from './event-ids.ts';
import type { DraftEvent, Ports } from './ports.ts';
import type { FoundPlan } from './project.ts';

/** Hooks at which the plan may have changed since it was last told. */
const TELLING: readonly string[] = [
	'SessionStart',
	'UserPromptSubmit',
	'PreToolUse',
	'PostToolUse',
	'SubagentStop',
	'Stop',
];
const MAX_DESCRIPTION = 200;
/** UTF-16 units of tasks in one event; some 3 bytes each must stay below the line's 64 KiB. */
const BUDGET = 14_000;

/** Whether this hook is one that reads the plan; of tool calls only the sub-agent tool's. */
export function tellsPlan(hook: string, subagentCall: boolean): boolean {
	if (!TELLING.includes(hook)) return false;
	return subagentCall || !hook.endsWith('ToolUse');
}

/** routing:plan, once for each new content: the id is the content's, so repeats fall together everywhere. */
export function planDraft(input: HookInput, { found }: FoundPlan, ports: Ports): DraftEvent[] {
	if (!found) return [];
	const id = contentId(ports, ['plan', input.sessionId, found.text, String(found.mtimeMs)]);
	if (ports.recorded(input.sessionId, [id])) return [];
	const { planId, status, request, phases } = found.plan;
	return [{ type: 'routing:plan', id, planId, status, phases: withinBudget(phases), request, path: found.path }];
}

/** The plan's first tasks, as many as a line can hold; agents and states matter, descriptions are cut. */
function withinBudget(phases: readonly PlanPhase[]): PlanPhase[] {
	let left = BUDGET;
	const kept: PlanPhase[] = [];
	for (const phase of phases) {
		const tasks: PlanPhase['tasks'] = [];
		left -= 40;
		for (const task of phase.tasks) {
			const short =
				task.description === undefined ? task : { ...task, description: clip(task.description, MAX_DESCRIPTION) };
			left -=
				60 + short.agent.length + short.status.length + (short.id?.length ?? 0) + (short.description?.length ?? 0);
			if (left < 0) break;
			tasks.push(short);
		}
		if (left < 0 && tasks.length === 0) break;
		kept.push({ ...phase, tasks });
		if (left < 0) break;
	}
	return kept;
}
