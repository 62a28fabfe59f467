import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spokenVerdicts, verdictParts, withoutVerdicts } from './verdict-comment.ts';

const comment = (json: string) => `<!-- VERDICT: ${json} -->`;

test('a verdict comment is a mark, in its place, with whatever else it says', () => {
	const text = `Built.\n${comment('{"result": "PASS"}')}\nLater: ${comment('{"result":"fail","note":"2 tests"}')}`;
	expect(verdictParts(text)).toEqual([
		{ kind: 'text', text: 'Built.\n' },
		{ kind: 'verdict', result: 'pass', more: '' },
		{ kind: 'text', text: '\nLater: ' },
		{ kind: 'verdict', result: 'fail', more: '{"note":"2 tests"}' },
	]);
	expect(spokenVerdicts(text)).toBe('Built.\n(verdict: pass)\nLater: (verdict: fail) {"note":"2 tests"}');
	expect(withoutVerdicts(`Built. ${comment('{"result": "PASS"}')}`)).toBe('Built. ');
});

test('what is no verdict stays as it was written', () => {
	for (const text of ['', comment('{"result":"maybe"}'), comment('{result: PASS}'), '<!-- a note -->', '<b>PASS</b>']) {
		expect(verdictParts(text)).toEqual([{ kind: 'text', text }]);
	}
	fc.assert(
		fc.property(fc.string(), (text) => {
			expect(withoutVerdicts(text)).toBe(text);
		}),
	);
});
