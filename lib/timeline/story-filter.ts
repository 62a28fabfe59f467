import { categoryOf } from '../contract/events/event-labels.ts';
import { alarmOf, type CallView, isDenied, isOverridden, outcomeOf } from '../session/call.ts';
import type { Row } from '../session/row.ts';

/** What the gates and people said of a row, as a reader filters by it. */
export const decisions = ['denied', 'approved', 'waiting', 'failed', 'alarm'] as const;
export type DecisionFilter = (typeof decisions)[number];

/** The filters of the story; each comes from the address and narrows further. */
export interface StoryFilter {
	tool: string | null;
	/** An agent id, or `main`. */
	agent: string | null;
	/** A category of events, e.g. `tool`. */
	type: string | null;
	decision: DecisionFilter | null;
	/** Of a note on the row; whose rows those are is not the row's own matter. */
	label?: string | null;
}

/** Whether any filter is set. */
export const isFiltering = (filter: StoryFilter) => Object.values(filter).some((value) => value !== null);

/** Whether the story shows the row. Without a filter of its type, rows that the catalogue hides stay hidden. */
export function showsRow(row: Row, filter: StoryFilter): boolean {
	if (!row.shown && !row.call && filter.type === null) return false;
	if (filter.tool !== null && row.call?.tool !== filter.tool) return false;
	if (filter.agent !== null && (row.agentId ?? 'main') !== filter.agent) return false;
	if (filter.type !== null && categoryOf(row.type) !== filter.type) return false;
	return filter.decision === null || hasDecision(row, filter.decision);
}

function hasDecision({ call, unverified }: Row, decision: DecisionFilter): boolean {
	if (!call) return decision === 'alarm' && unverified === true;
	switch (decision) {
		case 'denied':
			// Also what was denied in the client's own prompt, or by the client itself.
			return isDenied(call) || isOverridden(call) || outcomeOf(call) === 'stopped';
		case 'approved':
			return isOverridden(call) || isAnsweredPrompt(call);
		case 'waiting':
			return outcomeOf(call) === 'waiting';
		case 'failed':
			return outcomeOf(call) === 'failed';
		case 'alarm':
			return alarmOf(call) !== undefined || call.approval?.unverified === true;
	}
}

function isAnsweredPrompt({ approval }: CallView): boolean {
	if (!approval?.isPrompt || approval.unverified) return false;
	return approval.state === 'approved' || approval.state === 'answered';
}

/** The choices that the loaded rows offer for each filter. */
export function filterChoices(rows: readonly Row[]): { tools: string[]; agents: string[]; types: string[] } {
	const tools = new Set<string>();
	const agents = new Set<string>();
	const types = new Set<string>();
	for (const row of rows) {
		if (row.call) tools.add(row.call.tool);
		// Compaction ends agents that nobody has seen at work; their rows are hidden.
		if (row.shown || row.call) agents.add(row.agentId ?? 'main');
		types.add(categoryOf(row.type));
	}
	return { tools: [...tools].sort(), agents: [...agents].sort(), types: [...types].sort() };
}
