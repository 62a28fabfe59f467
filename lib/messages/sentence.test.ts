import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chinese } from './chinese.ts';
import { english, type Message, sayIn } from './say.ts';
import {
	eachText,
	HOLE,
	inEnglish,
	inWords,
	listed,
	type Sentence,
	sentence,
	type Words,
	wordsOf,
} from './sentence.ts';

const say = sayIn('zh-CN', chinese);

test('a sentence is a message that there is, with all that it needs: the types know it', () => {
	// @ts-expect-error a sentence that nobody has written in Chinese
	expect(inEnglish(sentence('{count} refused', { count: 1 }))).toBe('1 refused');
	// @ts-expect-error without what fills its hole
	expect(inEnglish(sentence('{count} denied'))).toBe(' denied');
	// @ts-expect-error with a value that it has no hole for
	expect(inEnglish(sentence('{count} denied', { count: 1, of: 2 }))).toBe('1 denied');
	const [one, many] = [1, 1234].map((count) => sentence('{count} failed {count:call|calls}', { count }));
	expect([one, many].map((words) => words && inEnglish(words))).toEqual(['1 failed call', '1234 failed calls']);
	expect([english, say].map((one) => one.sentence(sentence('on#switch')))).toEqual(['on', '开启']);
});

test('a sentence within another, a list and a title are translated as well; text in them is unchanged', () => {
	const failed = (stage: string, reason: string) =>
		sentence('{stage} {ended}: {reason}', { stage, ended: sentence('failed'), reason });
	const all = listed([failed('TEST', 'a, b'), failed('REVIEW', 'denied'), failed('DEV', '{reason}')]);
	expect(inEnglish(all)).toBe('TEST failed: a, b, REVIEW failed: denied, DEV failed: {reason}');
	expect(say.sentence(all)).toBe('TEST 失败：a, b，REVIEW 失败：denied，DEV 失败：{reason}');
	expect(say.sentence(['denied', sentence('denied'), '', 7])).toBe('denied · 被拒绝 · 7');
	expect([listed([]), say.sentence(listed([]))]).toEqual(['', '']);
});

test('a record has its fields in English, and beside them what a page says in its language', () => {
	const fields = inWords({ name: 'denied', why: sentence('{count} denied', { count: 2 }), fix: undefined });
	expect(fields).toEqual({
		...{ name: 'denied', why: '2 denied' },
		sentences: { why: { id: '{count} denied', values: { count: 2 } } },
	});
	expect([say.field(fields, 'name'), say.field(fields, 'why')]).toEqual(['denied', '2 项已拒绝']);
	expect([english.field(fields, 'why'), say.field(fields, 'fix')]).toEqual(['2 denied', '']);
	const cut = inWords(
		{ why: sentence('sent back {nth} of {max}: {feedback}', { nth: 1, max: 2, feedback: 'abcdef' }) },
		(text) => text.slice(0, 3),
	);
	expect([cut.why, say.field(cut, 'why')]).toEqual(['sen', '已退回 1/2：abc']);
	expect(wordsOf(inWords({ why: 'x' }), 'why')).toBe('x');
});

test('what an older or newer server has sent is said in English, and never fails', () => {
	const foreign = { id: 'nobody knows {it}', values: { it: 'x' } } as unknown as Sentence;
	expect([say.sentence(foreign), inEnglish(foreign)]).toEqual(['nobody knows x', 'nobody knows x']);
	for (const id of ['constructor', '__proto__', 'toString'] as const) {
		expect(say.sentence({ id } as unknown as Sentence)).toBe(id);
	}
});

test('every message is formatted in both languages with any values, which stay unchanged', () => {
	const ids = Object.keys(chinese) as Message[];
	const texts = fc.constantFrom('reviewing', 'denied', 'held, ran', '{count}', '$1 $&', '失败');
	fc.assert(
		fc.property(fc.constantFrom(...ids), texts, (id, held) => {
			const names = [...id.matchAll(HOLE)].flatMap(([, name = '', one]) => (one === undefined ? [name] : []));
			const words: Words = { id, values: Object.fromEntries(names.map((name) => [name, held])) };
			for (const text of [say.sentence(words), inEnglish(words)]) {
				expect(text.split(held).length).toBeGreaterThanOrEqual(new Set(names).size > 0 ? 2 : 1);
			}
			expect(eachText(words, (one) => one)).toEqual(words);
		}),
		{ numRuns: 1000 },
	);
});
