import type { Observation, ObservationType } from '../contract/sessions/read-model/observation.ts';

/** What was seen just now. */
export type Sighting = Pick<Observation, 'type' | 'tag' | 'trigger' | 'action' | 'project'>;

const START = 0.3;
const CONFIRM = 0.05;
const CONTRADICT = -0.1;
const DECAY = -0.02;
const DELETE_BELOW = 0.2;
const OLD_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_TEXT = 500;

/** From this confidence on an observation is told to agents. */
export const APPLY_FROM = 0.7;

const moved = (confidence: number, by: number): number =>
	Math.round(Math.min(1, Math.max(0, confidence + by)) * 10_000) / 10_000;

/** The observations after a sighting: the same type and tag confirms what is known, anything else is new. */
export function confirm(
	known: readonly Observation[],
	seen: Sighting,
	now: { at: string; freshId: string },
): Observation[] {
	const before = known.find((one) => one.type === seen.type && one.tag === seen.tag);
	if (!before) {
		const trigger = seen.trigger.slice(0, MAX_TEXT);
		const action = seen.action.slice(0, MAX_TEXT);
		const { type, tag, project } = seen;
		const place = project ? { project } : {};
		const fresh = { id: now.freshId, ts: now.at, lastSeen: now.at, type, trigger, action, tag, ...place };
		return [...known, { ...fresh, confidence: START, count: 1 }];
	}
	const again = { ...before, lastSeen: now.at, count: before.count + 1, confidence: moved(before.confidence, CONFIRM) };
	return known.map((one) => (one === before ? again : one));
}

/** The observations after a sighting; of how an agent ends only the same end confirms, another one contradicts. */
export function addSighting(
	known: readonly Observation[],
	seen: Sighting,
	now: { at: string; freshId: string },
): Observation[] {
	const before = known.find((one) => one.type === seen.type && one.tag === seen.tag);
	const otherwise = seen.type === 'agent_performance' && before !== undefined && before.action !== seen.action;
	return otherwise ? contradict(known, seen.type, seen.tag) : confirm(known, seen, now);
}

/** The observations after one was contradicted; one that nobody is sure of any more is gone. */
export function contradict(known: readonly Observation[], type: ObservationType, tag: string): Observation[] {
	return known
		.map((one) =>
			one.type === type && one.tag === tag ? { ...one, confidence: moved(one.confidence, CONTRADICT) } : one,
		)
		.filter((one) => one.confidence >= DELETE_BELOW);
}

/** The observations after a run of forgetting: what was not seen for a week is less sure. `now` in milliseconds. */
export function decay(known: readonly Observation[], now: number): Observation[] {
	return known
		.map((one) =>
			now - Date.parse(one.lastSeen) > OLD_MS ? { ...one, confidence: moved(one.confidence, DECAY) } : one,
		)
		.filter((one) => one.confidence >= DELETE_BELOW);
}

/** Reads one line's value. Total: null for what is no observation. */
export function readObservation(value: unknown): Observation | null {
	if (typeof value !== 'object' || value === null) return null;
	const one = value as Partial<Observation>;
	const texts = [one.id, one.ts, one.lastSeen, one.type, one.trigger, one.action, one.tag];
	if (!texts.every((text) => typeof text === 'string')) return null;
	if (typeof one.confidence !== 'number' || typeof one.count !== 'number') return null;
	if (![one.project, one.toldAt].every((text) => text === undefined || typeof text === 'string')) return null;
	return one as Observation;
}
