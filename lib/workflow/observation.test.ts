import { expect, it } from 'vitest';
import type { Observation } from '../contract/sessions/read-model/observation.ts';
import { APPLY_FROM, addSighting, confirm, contradict, decay, readObservation } from './observation.ts';

const now = { at: '2026-02-23T14:00:00.000Z', freshId: 'inst_a' };
const seen = { type: 'tool_preferences', tag: 'search-tools', trigger: 'searching', action: 'grep' } as const;

it('R278 the same type and tag confirms; eight confirmations make it worth applying', () => {
	let known: Observation[] = confirm([], seen, now);
	expect(known).toMatchObject([{ id: 'inst_a', confidence: 0.3, count: 1 }]);
	for (let n = 0; n < 8; n += 1) known = confirm(known, seen, { ...now, freshId: `inst_${n}` });
	expect(known).toMatchObject([{ id: 'inst_a', confidence: APPLY_FROM, count: 9 }]);
	for (const other of [{ tag: 'other' }, { type: 'wording_mismatch' as const }]) {
		expect(confirm(known, { ...seen, ...other }, { ...now, freshId: 'inst_b' })).toHaveLength(2);
		expect(contradict(known, other.type ?? seen.type, other.tag ?? seen.tag)).toEqual(known);
	}
	for (let n = 0; n < 20; n += 1) known = confirm(known, seen, now);
	expect(known[0]).toMatchObject({ confidence: 1, count: 29 });
});

it('R278 a contradiction and a week without sighting make it less sure, until it is forgotten', () => {
	const known = confirm([], seen, now);
	expect(contradict(known, seen.type, seen.tag)).toMatchObject([{ confidence: 0.2 }]);
	expect(contradict(contradict(known, seen.type, seen.tag), seen.type, seen.tag)).toEqual([]);
	const week = Date.parse(now.at) + 7 * 24 * 60 * 60 * 1000;
	expect(decay(known, week)).toEqual(known);
	let aged = known;
	for (let run = 1; run <= 5; run += 1) {
		aged = decay(aged, week + 1);
		expect(aged[0]?.confidence).toBe(Number((0.3 - run * 0.02).toFixed(4)));
	}
	expect(decay(aged, week + 1)).toEqual([]);
});

it('R392 an agent that ends otherwise than it was known to contradicts; other sightings of a tag confirm', () => {
	const ended = (result: string) =>
		({
			type: 'agent_performance',
			tag: 'agent-tester',
			trigger: 'tester ends',
			action: `TEST ended with ${result}`,
		}) as const;
	const known = [ended('pass'), ended('pass')].reduce((all, one) => addSighting(all, one, now), [] as Observation[]);
	expect(known).toMatchObject([{ confidence: 0.35, count: 2 }]);
	const failed = addSighting(known, ended('fail'), now);
	expect(failed).toMatchObject([{ action: 'TEST ended with pass', confidence: 0.25, count: 2 }]);
	const forgotten = addSighting(failed, ended('fail'), now);
	expect(forgotten).toEqual([]);
	expect(addSighting(forgotten, ended('fail'), now)).toMatchObject([
		{ action: 'TEST ended with fail', confidence: 0.3 },
	]);
	expect(
		addSighting(
			[seen, { ...seen, action: 'rg' }].reduce((all, one) => addSighting(all, one, now), [] as Observation[]),
			seen,
			now,
		),
	).toMatchObject([{ count: 3 }]);
});

it('R278 a line that is none is passed over', () => {
	for (const junk of [null, 3, [], {}, { ...seen, id: 'x' }]) expect(readObservation(junk)).toBeNull();
	const [one] = confirm([], seen, now);
	expect(readObservation(JSON.parse(JSON.stringify(one)))).toEqual(one);
});
