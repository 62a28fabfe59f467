import type { PlanRead } from '#lib/gates/gate-context.ts';
import { ENFORCER_GATE } from '#lib/gates/routing-enforcer/routing-enforcer-gate.ts';
import { ROUTING_GATE } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import { isJson } from '#lib/json/json.ts';
import { isActivePlan, type RoutingPlan } from '#lib/routing/routing-state.ts';
import type { ReadPorts } from '../ports/ports.ts';

/** What a line of a denial by the plan holds. */
const BINDING = ['"routing:mismatch"', '"enforcer.delegate"'];

type Line = Readonly<Record<string, unknown>>;

/**
 * The plan that binds a session whose plan is gone or unreadable: the last one that was told of, where a call was denied by
 * it and no person has prompted since. So an agent gains nothing by spoiling the file that has just denied it something.
 * What is not so is given back as it was read.
 */
export function planInForce(
	{ sessionId, project }: { sessionId: string; project: string },
	read: PlanRead,
	sight: Pick<ReadPorts, 'linesWith'>,
): PlanRead {
	if (read?.ok || !BINDING.some((text) => sight.linesWith(sessionId, text).length > 0)) return read;
	const lines = sight.linesWith(sessionId, '"type"');
	const prompted = lines.findLastIndex(({ type, source }) => type === 'prompt:submit' && source === 'user');
	const denial = lines.slice(prompted + 1).findLast((line) => isDenialIn(project, line));
	const planId = isJson(denial?.facts) ? denial.facts.planId : undefined;
	const plan = lines.findLast((line) => line.type === 'routing:plan' && line.planId === planId);
	return plan && isPlan(plan) && isActivePlan(plan) ? { ok: true, plan, lost: read?.reason ?? 'it is gone' } : read;
}

/** The plan of a project says nothing in another one. */
function isDenialIn(project: string, { type, gate, decision, facts }: Line): boolean {
	if (type !== 'gate:verdict' || decision !== 'deny' || (gate !== ROUTING_GATE && gate !== ENFORCER_GATE)) return false;
	return isJson(facts) && facts.project === project;
}

/** The line is one of ours by its type; whoever wrote it may have left anything out. */
function isPlan(line: Line): line is Line & RoutingPlan {
	const { planId, status, phases } = line;
	if (typeof planId !== 'string' || typeof status !== 'string' || !Array.isArray(phases)) return false;
	return phases.every((phase) => Array.isArray(phase?.tasks) && phase.tasks.every(isTask));
}

const isTask = (task: { agent?: unknown; status?: unknown } | null) =>
	typeof task?.agent === 'string' && typeof task.status === 'string';
