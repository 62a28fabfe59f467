import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBreak, readEdited } from './edit-input.tsx';

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

test('it finds a break exactly where the engine refuses the text', () => {
	const broken = fc
		.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ' x', '\\', '\n', '01'))
		.map(
			([text, at, put]) => `${text.slice(0, at % (text.length + 1))}${put}${text.slice((at % (text.length + 1)) + 1)}`,
		);
	fc.assert(
		fc.property(fc.oneof(fc.json(), broken), (text) => {
			expect(jsonBreak(text) === null).toBe(isJson(text));
		}),
	);
});

test.each([
	['{\n  "command": "ls",\n}', 'line 3, column 1'],
	['{\n  command: "ls"\n}', 'line 2, column 3'],
	['{"a": ls}', 'line 1, column 7'],
	['{"a": 1', 'line 1, column 8'],
	['', 'line 1, column 1'],
])('an edited input that is no JSON is refused with its place and what to do: %j', (text, position) => {
	expect(readEdited(text)).toEqual({ ok: false, message: expect.stringContaining(position) });
});
