import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chinese } from './chinese.ts';
import { HOLE } from './hole.ts';
import { english, sayIn } from './say.ts';
import { type Told, tell } from './tell.ts';

const say = sayIn('zh-CN', chinese);
const told = Object.keys(chinese.told) as Told[];
const fill = tell as unknown as (sentence: string, values: Readonly<Record<string, string>>) => string;

/** What each hole may hold, as no sentence of ours would be. */
const held: Readonly<Record<string, string>> = { time: '2026-11-13T12:31:05.000Z', stage: 'TEST:2', agent: 'x-y' };
const numbers = ['count', 'nth', 'max', 'done', 'total'];
const valuesOf = (sentence: string, seed: number) =>
	Object.fromEntries(
		[...sentence.matchAll(HOLE)].map(([, name = ''], at) => [
			name,
			numbers.includes(name) ? String(2 + ((seed + at) % 90)) : (held[name] ?? `zz${seed}${at}`),
		]),
	);

test('R1850 whatever is told in English is known by it again and said in Chinese, with what filled it', () => {
	fc.assert(
		fc.property(fc.constantFrom(...told), fc.nat(1000), (sentence, seed) => {
			const values = valuesOf(sentence, seed);
			const words = chinese.told[sentence].replace(HOLE, (_hole, name: string) => values[name] ?? '');
			expect(say.told(fill(sentence, values))).toBe(words);
		}),
		{ numRuns: 20 * told.length },
	);
});

test('R1850 a sentence within another, a list of them, and one that stands beside others are said as well', () => {
	expect(say.told('TEST:2, REVIEW waits for you: REVIEW ended with reject')).toBe(
		'TEST:2, REVIEW 等待你：REVIEW 以“驳回”结束',
	);
	expect(say.told('TEST failed, REVIEW rejected ×2: the total, and the tax')).toBe(
		'TEST 失败，REVIEW 被驳回 ×2：the total, and the tax',
	);
	expect(say.told('TEST failed: a, b')).toBe('TEST 失败：a, b');
	expect(say.told('PLAN · pass')).toBe('PLAN · 通过');
	expect(say.known('Health')).toBe('健康');
});

test('R1850 text of an agent stays as it came, though it holds our words', () => {
	const texts = [
		...['Everything passed', 'all 3 denied', 'which of these', 'one of three', 'got 3, expected 4', 'x waits', ''],
		...['fix the tokens', 'constructor', `${'x'.repeat(1000)} passed`],
	];
	expect(texts.map(say.told)).toEqual(texts);
	expect(say.told('blocked 1 of 20: 3 denied')).toBe('已阻止 1/20：3 denied');
	expect(say.told('architect ≠ plan, held')).toBe('architect 不在计划内，等待决定');
	expect(english.told('thinking')).toBe('thinking');
});

test('R1850 no text takes long, whatever it repeats', () => {
	const parts = fc.constantFrom(
		' · ',
		', ',
		': ',
		'; ',
		' of ',
		' ×2',
		'TEST',
		' failed',
		' passed',
		' in the first run',
		'x',
	);
	fc.assert(
		fc.property(fc.array(parts, { minLength: 50, maxLength: 400 }), (text) => {
			expect(say.told(text.join('')).length).toBeGreaterThan(0);
		}),
		{ numRuns: 50 },
	);
});

test('R1850 what is told is a sentence that there is, with all that it needs: the types know it', () => {
	// @ts-expect-error a sentence that nobody has written in Chinese
	expect(tell('{count} refused', { count: 1 })).toBe('1 refused');
	// @ts-expect-error without what fills its hole
	expect(tell('{count} denied')).toBe(' denied');
	expect(tell('{count} {count:tool error|tool errors}', { count: 1 })).toBe('1 tool error');
	expect(tell('{count} {count:tool error|tool errors}', { count: 1234 })).toBe('1234 tool errors');
});
