import { expect, test } from 'vitest';
import { changedFields, readEdited } from './edit-input.tsx';

test('R613 an edited input says which fields it changes, adds and leaves out', () => {
	const before = { command: 'rm -rf build', timeout: 5, note: 'x' };
	expect(changedFields(before, { command: 'rm -r build', timeout: 5, run: true })).toEqual([
		{ name: 'command', before: 'rm -rf build', after: 'rm -r build' },
		{ name: 'note', before: 'x', after: null },
		{ name: 'run', before: null, after: 'true' },
	]);
	expect(changedFields(before, { ...before })).toEqual([]);
});

test('R613 what is no object is refused with what is wrong', () => {
	expect(readEdited('{"a":1}')).toEqual({ ok: true, input: { a: 1 } });
	for (const text of ['[]', '5', 'null', '{"a":']) expect(readEdited(text)).toMatchObject({ ok: false });
});
