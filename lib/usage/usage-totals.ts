import type { EventOf } from '../contract/events/event.ts';
import type { TokenCounts, UsageTotals } from '../contract/events/usage.ts';
import type { UsagePart, UsageView } from '../contract/sessions/read-model/session-view.ts';
import { english, type Say } from '../messages/say.ts';
import { sentence, type Words } from '../messages/sentence.ts';

export const noUsage: UsageTotals = {
	answers: 0,
	inputTokens: 0,
	outputTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	costUsd: 0,
	unpriced: 0,
};

export function totalsOf(event: EventOf<'model:usage'>): UsageTotals {
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd } = event;
	const counts = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
	return { answers: 1, ...counts, costUsd: costUsd ?? 0, unpriced: costUsd === undefined ? 1 : 0 };
}

export function addUsage(one: UsageTotals, other: UsageTotals): UsageTotals {
	return {
		answers: one.answers + other.answers,
		inputTokens: one.inputTokens + other.inputTokens,
		outputTokens: one.outputTokens + other.outputTokens,
		cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
		cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
		costUsd: one.costUsd + other.costUsd,
		unpriced: one.unpriced + other.unpriced,
	};
}

/** Of every kind, cache included. */
export function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: TokenCounts): number {
	return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

const UNITS = [
	[1_000_000_000, 'G'],
	[1_000_000, 'M'],
	[1000, 'k'],
] as const;

/** `950`, `1.2k`, `340k`. */
export function tokenNumber(tokens: number): string {
	const [size, unit] = UNITS.find(([least]) => tokens >= least) ?? [1, ''];
	const value = tokens / size;
	return `${size > 1 && value < 100 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** To the cent; a cost below one is not shown as nothing. */
export function costNumber(usd: number): string {
	if (usd > 0 && usd < 0.005) return '< $0.01';
	return `$${usd.toFixed(usd >= 1000 ? 0 : 2)}`;
}

export function usageTokens(counts: TokenCounts, say: Say = english): string {
	return say('{count} tokens', { count: tokenNumber(tokensOf(counts)) });
}

export function usageWords(counts: TokenCounts & { costUsd?: number | undefined }): Words {
	const cost = counts.costUsd === undefined ? sentence('no price known') : costNumber(counts.costUsd);
	return [sentence('{count} tokens', { count: tokenNumber(tokensOf(counts)) }), cost];
}

/** `$0.42 +` if some have no price; null if none has. */
export function costOfAll({ answers, unpriced, costUsd }: Pick<UsageTotals, 'answers' | 'unpriced' | 'costUsd'>) {
	if (answers === unpriced) return null;
	return unpriced > 0 ? `${costNumber(costUsd)} +` : costNumber(costUsd);
}

/** `costOfAll` of parts, the largest rounded so that the cents shown add up to those of the sum. */
export function costsOfParts(parts: readonly Pick<UsageTotals, 'answers' | 'unpriced' | 'costUsd'>[]) {
	const costs = parts.map(({ costUsd }) => costUsd);
	const centsOf = (usd: number) => Math.round(usd * 100);
	const missing = costs.reduce((left, usd) => left - centsOf(usd), centsOf(costs.reduce((sum, usd) => sum + usd, 0)));
	const largest = costs.indexOf(Math.max(...costs));
	return parts.map((part, at) => costOfAll({ ...part, costUsd: part.costUsd + (at === largest ? missing / 100 : 0) }));
}

/** Names are agent text: however many there are, a view stays small. */
const MAX_PARTS = { models: 20, agents: 100, stages: 60 } as const;

/** The index drops repeated ids before the fold sees them. */
export function foldUsage(before: UsageView | undefined, event: EventOf<'model:usage'>): UsageView {
	const view = before ?? { total: noUsage, models: [], agents: [], stages: [], read: [] };
	const { agentId = '', model, stage, readTo } = event;
	const counts = totalsOf(event);
	return {
		total: addUsage(view.total, counts),
		models: withPart(view.models, model, counts, MAX_PARTS.models),
		agents: withPart(view.agents, agentId, counts, MAX_PARTS.agents),
		stages: stage === undefined ? view.stages : withPart(view.stages, stage, counts, MAX_PARTS.stages),
		...(event.source === 'telemetry' && { source: 'telemetry' as const }),
		read: readTo === undefined ? view.read : withReadTo(view.read, agentId, readTo),
	};
}

/** Adds to the part of this name. If there are `max` parts already, the last one becomes the sum of all others. */
function withPart(parts: readonly UsagePart[], name: string, counts: UsageTotals, max: number): UsagePart[] {
	const own = parts.findIndex((part) => part.name === name && !part.others);
	const index = own === -1 && parts.length >= max ? parts.length - 1 : own;
	const part = parts[index];
	if (!part) return [...parts, { name, ...counts }];
	if (index === own) return parts.with(index, { name, ...addUsage(part, counts) });
	return parts.with(index, { name: '', others: true, ...addUsage(part, counts) });
}

function withReadTo(read: UsageView['read'], agentId: string, to: number): UsageView['read'] {
	// A replaced transcript is read from its start again.
	return [...read.filter((one) => one.agentId !== agentId), { agentId, to }].slice(-MAX_PARTS.agents);
}

export type UsageSource = 'transcript' | 'telemetry';

/** Where answers are counted: the first recorded source, before it a readable transcript. So no answer is counted twice. */
export function usageSourceOf(
	source: UsageSource | undefined,
	usage: Pick<UsageView, 'source'> | undefined,
	hasTranscript: boolean,
): UsageSource {
	if (source !== undefined) return source;
	if (usage) return usage.source ?? 'transcript';
	return hasTranscript ? 'transcript' : 'telemetry';
}
