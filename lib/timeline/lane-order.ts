import type { AgentView } from '../session/view.ts';
import type { Lane } from './lanes.ts';

/** A lane in its place: under the actor that started its agent. */
export interface PlacedLane extends Lane {
	/** 0 for the main agent and for whoever's caller is not known. */
	level: number;
	/** What its agent was asked to do; agent text. */
	task?: string;
	/** The agent's own time, ms; `to` is null while it works. */
	life?: { from: number; to: number | null };
}

/** Deeper callers stand no further in, so that names keep their room. */
const DEEPEST = 4;

/**
 * The main lane, then each agent under its caller, always in the order in which they began: bars that come or go move
 * no lane. `callerOf` says in whose call an agent was started, by that call's id.
 */
export function orderLanes(
	lanes: readonly Lane[],
	agents: readonly AgentView[],
	callerOf: (toolUseId: string) => { agentId?: string; title: string } | undefined,
): PlacedLane[] {
	const laneOf = new Map(lanes.map((lane) => [lane.agentId, lane]));
	const known = new Map(agents.map((agent) => [agent.agentId, agent]));
	const ids = [...new Set([...agents.map(({ agentId }) => agentId), ...laneOf.keys()])].filter(
		(id) => id !== undefined,
	);
	const startOf = (id: string) => {
		const started = known.get(id)?.startedAt;
		return started === undefined ? (laneOf.get(id)?.bars[0]?.from ?? Number.POSITIVE_INFINITY) : Date.parse(started);
	};
	const children = new Map<string | undefined, string[]>();
	for (const id of ids.sort((a, b) => startOf(a) - startOf(b) || (a < b ? -1 : 1))) {
		const callId = known.get(id)?.toolUseId;
		const caller = callId === undefined ? undefined : callerOf(callId)?.agentId;
		const parent = caller !== id && caller !== undefined && ids.includes(caller) ? caller : undefined;
		children.set(parent, [...(children.get(parent) ?? []), id]);
	}
	const placed: PlacedLane[] = [];
	const seen = new Set<string | undefined>();
	const place = (agentId: string | undefined, level: number) => {
		if (seen.has(agentId)) return;
		seen.add(agentId);
		const agent = agentId === undefined ? undefined : known.get(agentId);
		const task = agent?.description ?? callerOf(agent?.toolUseId ?? '')?.title ?? agent?.stage;
		const lane = laneOf.get(agentId) ?? { agentId, bars: [], depth: 1 };
		placed.push({ ...lane, level, ...(task && { task }), ...lifeOf(agent) });
		for (const child of children.get(agentId) ?? []) place(child, Math.min(DEEPEST, level + 1));
	};
	place(undefined, 0);
	// Agents that started each other, if a timeline says so, have no root.
	for (const id of ids) place(id, 1);
	return placed;
}

function lifeOf(agent: AgentView | undefined): Pick<PlacedLane, 'life'> {
	if (!agent?.startedAt) return {};
	const from = Date.parse(agent.startedAt);
	const end = agent.endedAt ?? agent.closed?.at;
	return { life: { from, to: end === undefined ? null : Math.max(from, Date.parse(end)) } };
}
