import { expect, test } from 'vitest';
import type { Incident } from '#lib/contract/health/incidents.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { createEarlierIncidents } from './open-incidents.ts';

const warning = (seq: number, fields: object) =>
	({
		...{ id: `e${seq}`, seq, ts: `2026-01-01T00:00:0${seq}.000Z`, sessionId: '_home', category: 'system', label: '' },
		...{ type: 'system:warning', message: `m${seq}` },
		...fields,
	}) as IndexedEvent;

test('incidents of earlier runs are read from the home’s timeline, without what is known and what is none', () => {
	const events = [
		warning(1, { code: 'hook/changed' }),
		warning(2, { code: 'door/replaced' }),
		warning(3, { code: 'no-such' }),
		warning(4, { type: 'specs:init', featureName: 'x' }),
		warning(5, { code: 'plan/edited', message: 'a\u202eb' }),
	];
	let reads = 0;
	const read = () => {
		reads += 1;
		return events;
	};
	const earlier = createEarlierIncidents({ tail: { viewOf: () => ({ seq: 5 }) }, index: { events: read } });
	const known: Incident[] = [
		{ code: 'door/replaced', about: 'x', message: 'm2', at: '2026-01-01T00:00:02.000Z', until: null },
	];
	expect(earlier(known).map(({ code }) => code)).toEqual(['plan/edited', 'hook/changed']);
	expect(earlier(known)[0]?.message).not.toContain('\u202e');
	expect(reads).toBe(1);
	const none = createEarlierIncidents({ tail: { viewOf: () => undefined }, index: { events: () => [] } });
	expect(none([])).toEqual([]);
});
