import { basename } from 'node:path';
import type { AgentHook, HookPoint } from '#lib/agents/agent-hook.ts';
import { type Deed, filesOf } from '#lib/agents/tool-call.ts';
import type { PlanPhase } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import { clip } from '#lib/text/printable.ts';
import type { ReadPorts } from '../ports/ports.ts';
import { contentId } from './event-ids.ts';
import { type FoundPlan, PLAN_PATH } from './project.ts';

/** Hooks at which the plan may have changed since it was last told. */
const TELLING: readonly HookPoint[] = ['session-start', 'prompt', 'call', 'result', 'failure', 'agent-end', 'turn-end'];
const PLAN_NAME = basename(PLAN_PATH, '.json');
const MAX_DESCRIPTION = 200;
/** UTF-16 units of tasks in one event; some 3 bytes each must stay below the line's 64 KiB. */
const BUDGET = 14_000;

/** Whether this hook is one that reads the plan; of calls only those that start a sub-agent or name the plan's file. */
export function tellsPlan(hook: AgentHook): boolean {
	return TELLING.includes(hook.at) && !('call' in hook && !concernsPlan(hook.call.deed));
}

/** What a call that may write the plan made of it must be seen right before and right after. */
function concernsPlan(deed: Deed): boolean {
	switch (deed.does) {
		case 'start-agent':
			return true;
		case 'edit-file':
			return filesOf(deed).some(({ path }) => path?.includes(PLAN_NAME) === true);
		case 'run-command':
		case 'run-shell':
			return deed.line?.includes(PLAN_NAME) === true;
		default:
			return false;
	}
}

/** routing:plan, once for each new content: the id is the content's, so repeats fall together everywhere. */
export function draftPlan({ sessionId }: AgentHook, { found }: FoundPlan, sight: ReadPorts): DraftEvent[] {
	if (!found) return [];
	const id = contentId(sight, ['plan', sessionId, found.text, String(found.mtimeMs)]);
	if (sight.recorded(sessionId, [id])) return [];
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
