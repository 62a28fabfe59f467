import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { english, type Say } from '#lib/messages/say.ts';
import { planAgainstReality } from '#lib/session/plan-sides.ts';
import type { Span } from '#lib/timeline/time-scale.ts';
import { stackSpans } from '#lib/timeline/time-scale.ts';

/** A task of the plan that an agent has taken up, for as long as that agent worked. */
export interface PlanSegment extends Span {
	key: string;
	agent: string;
	phase: string;
	/** The task's own word. */
	status: string;
	/** It goes on; `to` is now. */
	isOpen: boolean;
	/** Segments that overlap in time stand under each other, from 0. */
	depth: number;
}

/** The agents of one phase that the plan still expects; several of them side by side. */
export interface ExpectedPhase {
	key: string;
	phase: string;
	agents: string[];
}

/** The plan over time: what was taken up, and what is still to come in the plan's order. */
export interface PlanTimeline {
	segments: PlanSegment[];
	/** How many segments stand under each other at most; at least 1. */
	depth: number;
	expected: ExpectedPhase[];
}

const OVER: readonly string[] = ['completed', 'failed', 'skipped', 'cancelled'];

/** Lays the routing plan over the lanes' time; null without a plan. `now` in ms. */
export function planTimeline(
	view: Pick<SessionView, 'plan' | 'agents'>,
	now: number,
	say: Say = english,
): PlanTimeline | null {
	if (!view.plan) return null;
	const { phases } = planAgainstReality(view, say);
	const taken = phases.flatMap(({ name, sides }) =>
		sides.flatMap(({ key, task, agents }) =>
			agents.flatMap(({ agentId, startedAt, endedAt, closed }) => {
				if (!task || startedAt === undefined) return [];
				const from = Date.parse(startedAt);
				const end = endedAt ?? closed?.at;
				const to = Math.max(from, end === undefined ? now : Date.parse(end));
				const { agent, status } = task;
				return [{ key: `${key} ${agentId}`, agent, phase: name, status, from, to, isOpen: end === undefined }];
			}),
		),
	);
	const expected = phases.flatMap(({ name, sides }, at): ExpectedPhase[] => {
		const agents = sides.flatMap(({ task, agents: started }) =>
			task && started.length === 0 && !OVER.includes(task.status) ? [task.agent] : [],
		);
		return agents.length > 0 ? [{ key: `${at}`, phase: name, agents }] : [];
	});
	const { spans: segments, depth } = stackSpans(taken);
	return { segments, depth, expected: isOver(view.plan.status) ? [] : expected };
}

const isOver = (status: string) => OVER.includes(status);
