import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { expectedAgents, isActivePlan, openTasks, type RoutingPlan } from '../routing/routing-state.ts';
import { findCall } from './roster.ts';
import type { PlanEdit, SessionView } from './view.ts';

type Watched = NonNullable<SessionView['planEdits']>;

const KEPT = 20;
const NOTHING: Watched = { denied: [], edits: [] };

/**
 * Changes of a routing plan that let more start than it did, and that the agent itself may have made: its own call wrote
 * the file (the hooks read it before and after), or an agent that was denied is expected now although no person has said
 * anything since. What vibe-engine itself does to a plan on the way adds no agent, and makes new plans at prompts. The
 * view is that before the event.
 */
export function foldPlanEdits(view: SessionView, event: KnownEvent): SessionView['planEdits'] {
	const { planEdits: before } = view;
	const { denied, edits } = before ?? NOTHING;
	switch (event.type) {
		case 'prompt:submit':
			return event.source === 'user' && denied.length > 0 ? { denied: [], edits } : before;
		case 'routing:mismatch':
			return { denied: [...denied.filter((one) => one !== event.actual), event.actual].slice(-KEPT), edits };
		case 'routing:plan': {
			const edit = editOf(view, denied, event);
			return edit ? { denied: [], edits: [...edits, edit].slice(-KEPT) } : before;
		}
		default:
			return before;
	}
}

function editOf(view: SessionView, denied: readonly string[], event: EventOf<'routing:plan'>): PlanEdit | null {
	const { id, planId, ts: at } = event;
	const expected = isActivePlan(event) ? expectedAgents(event) : [];
	const after = denied.filter((agent) => expected.includes(agent));
	if (after.length > 0) return { id, planId, at, agents: after, how: 'after-denial' };
	if (!view.plan || !isActivePlan(view.plan) || !isOwnCall(view, event.toolUseId)) return null;
	const known = expectedAgents(view.plan);
	const agents = expected.filter((agent) => !known.includes(agent));
	const isLooser = agents.length > 0 || view.plan.planId !== planId || isEndedEarly(event);
	return isLooser ? { id, planId, at, agents, how: 'own-call' } : null;
}

/** A call of the agent's own has ended, and with it the plan was read anew. A start of an agent marks its task itself. */
function isOwnCall({ calls }: SessionView, toolUseId: string | undefined): boolean {
	const call = toolUseId === undefined ? undefined : findCall(calls, toolUseId);
	return call?.evidence !== undefined && call.agentName === undefined;
}

const isEndedEarly = (plan: RoutingPlan): boolean => !isActivePlan(plan) && openTasks(plan).length > 0;
