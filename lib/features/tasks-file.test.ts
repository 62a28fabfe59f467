import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../text/testing/any-text.ts';
import { addBoxes, parseTasks } from './tasks-file.ts';

test('boxes are added after the last task, and nothing else changes', () => {
	const text = '---\nworkflow: quick\n---\n\n## Tasks\n\n- [x] Plan\n- [ ] Build\n\n## Notes\n\nkeep\n';
	expect(addBoxes(text, ['Test', 'Build', 'Test', ' '])).toEqual({
		text: text.replace('- [ ] Build\n', '- [ ] Build\n- [ ] Test\n'),
		added: ['Test'],
	});
	expect(addBoxes(text, ['Plan'])).toEqual({ text, added: [] });
	expect(addBoxes('- [ ] a', ['b']).text).toBe('- [ ] a\n- [ ] b\n');
	expect(addBoxes('## Tasks\r\n\r\n- [ ] a\r\n', ['b']).text).toBe('## Tasks\r\n\r\n- [ ] a\r\n- [ ] b\r\n');
});

test('a file without boxes gets them under its heading, one without a heading gets one', () => {
	expect(addBoxes('## Tasks\n\nnone yet\n', ['a']).text).toBe('## Tasks\n\n- [ ] a\n\nnone yet\n');
	expect(addBoxes('', ['a']).text).toBe('## Tasks\n\n- [ ] a\n');
	expect(addBoxes('words', ['a']).text).toBe('words\n\n## Tasks\n\n- [ ] a\n');
});

test('whatever a model suggests becomes exactly one open box, or none', () => {
	const before = '## Tasks\n\n- [x] Plan\n\n## Notes\n';
	fc.assert(
		fc.property(fc.array(anyText({ maxLength: 80 }), { maxLength: 5 }), (labels) => {
			const { text, added } = addBoxes(before, ['\n## Tasks\n- [x] done', ...labels]);
			const boxes = parseTasks(text).boxes;
			expect(boxes.map(({ checked }) => checked)).toEqual([true, ...added.map(() => false)]);
			expect(boxes.slice(1).map((box) => box.text)).toEqual(added);
			expect(text.startsWith('## Tasks\n\n- [x] Plan\n') && text.endsWith('\n## Notes\n')).toBe(true);
			expect(addBoxes(text, labels)).toEqual({ text, added: [] });
		}),
		{ numRuns: 40 },
	);
}, 30_000);
