import { expect, test } from 'vitest';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { rawFields } from './event-fields.ts';

test('a raw event keeps everything but its place, ids and the words of its type, what is its own first', () => {
	const event: IndexedEvent = {
		...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: 'tool', label: 'Tool ran', sessionId: 's', seq: 4 },
		...{ type: 'tool:result', toolUseId: 't1', tool: 'Read', durationMs: 4 },
	};
	expect(JSON.stringify(rawFields(event))).toBe('{"tool":"Read","durationMs":4,"toolUseId":"t1"}');
});
