import { expect, test } from 'vitest';
import { busyOf, doingOf } from './status.ts';
import { type EventTuple, viewAfter } from './testing/view-after.ts';

const begun: EventTuple[] = [
	['session:start', { project: 'shop', cwd: '/home/dev/shop', branch: 'main' }],
	['prompt:submit', { prompt: 'Build it.', source: 'user' }],
];
const edit: EventTuple = [
	'tool:call',
	{ tool: 'Edit', toolUseId: 't1', input: { file_path: '/home/dev/shop/src/total.ts' } } as never,
];

test('who does what is shown with paths relative to the project, and since when', () => {
	expect(doingOf(viewAfter(...begun, edit))).toEqual({ text: 'Edit src/total.ts', since: '2026-01-01T12:02:00.000Z' });
	const [type, fields] = edit;
	const events: EventTuple[] = [
		...begun,
		['agent:start', { agent: 'developer' }, 'a1'],
		[type, fields, 'a1'] as EventTuple,
	];
	expect(doingOf(viewAfter(...events))).toMatchObject({ agent: 'developer', text: 'Edit src/total.ts' });
});

test('between two calls it is thinking; at rest its last message is shown, after its end nothing', () => {
	expect(doingOf(viewAfter(...begun))).toMatchObject({ text: 'thinking' });
	const rested: EventTuple[] = [
		...begun,
		['message:show', { text: 'All done.' }],
		['hook:event', { name: 'Stop', fields: {} }],
	];
	expect(doingOf(viewAfter(...rested))).toEqual({ text: 'All done.' });
	expect(doingOf(viewAfter(...rested, ['session:end', {}]))).toBeUndefined();
});

test('an open call or review is what a session is busy with', () => {
	const deadline = '2026-01-01T12:30:00.000Z';
	const review: EventTuple = ['supervisor:review', { hook: 'Stop', iteration: 1, max: 20, deadline }];
	expect(busyOf(viewAfter(...begun))).toBeUndefined();
	expect(busyOf(viewAfter(...begun, edit))).toEqual({});
	expect(busyOf(viewAfter(...begun, review))).toEqual({ until: deadline });
	expect(
		busyOf(viewAfter(...begun, edit, ['tool:result', { tool: 'Edit', toolUseId: 't1' } as never])),
	).toBeUndefined();
});
