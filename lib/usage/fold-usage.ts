import type { EventOf } from '../contract/events/event.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import type { UsagePart, UsageView } from '../contract/sessions/read-model/session-view.ts';
import { addUsage, noUsage, totalsOf } from './usage-totals.ts';

/** Names are agent text: however many there are, a view stays small. */
const MOST = { models: 20, agents: 100, stages: 60 } as const;

/** Adds one answer. The index drops repeated ids before the fold sees them. */
export function foldUsage(before: UsageView | undefined, event: EventOf<'model:usage'>): UsageView {
	const view = before ?? { total: noUsage, models: [], agents: [], stages: [], read: [] };
	const { agentId = '', model, stage, readTo } = event;
	const one = totalsOf(event);
	return {
		total: addUsage(view.total, one),
		models: added(view.models, model, one, MOST.models),
		agents: added(view.agents, agentId, one, MOST.agents),
		stages: stage === undefined ? view.stages : added(view.stages, stage, one, MOST.stages),
		...(event.source === 'telemetry' && { source: 'telemetry' as const }),
		read: readTo === undefined ? view.read : readOn(view.read, agentId, readTo),
	};
}

function added(parts: readonly UsagePart[], name: string, one: UsageTotals, most: number): UsagePart[] {
	const own = parts.findIndex((part) => part.name === name && !part.others);
	const at = own === -1 && parts.length >= most ? parts.length - 1 : own;
	const part = parts[at];
	if (!part) return [...parts, { name, ...one }];
	if (at === own) return parts.with(at, { name, ...addUsage(part, one) });
	return parts.with(at, { name: '', others: true, ...addUsage(part, one) });
}

function readOn(read: UsageView['read'], agentId: string, to: number): UsageView['read'] {
	// A transcript that was replaced is read from its start again: the last word counts, not the highest.
	return [...read.filter((one) => one.agentId !== agentId), { agentId, to }].slice(-MOST.agents);
}
