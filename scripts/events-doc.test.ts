import { describe, expect, it } from 'vitest';
import { eventLabels } from '#lib/contract/events/event-labels.ts';
import { catalogue, renderEventsDoc } from './events-doc.ts';

describe('the event document', () => {
	it('names every type of the catalogue once', () => {
		const named = Object.values(catalogue).flatMap((events) => Object.keys(events));
		expect(named.toSorted()).toEqual(Object.keys(eventLabels).toSorted());
	});

	it('says what the contract says', async () => {
		await expect(renderEventsDoc()).toMatchFileSnapshot('../docs/events.md');
	});
});
