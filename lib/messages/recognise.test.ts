import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chinese } from './chinese.ts';
import { HOLE } from './hole.ts';
import { english, sayIn } from './say.ts';
import { type MessageKey, tell } from './tell.ts';

const say = sayIn('zh-CN', chinese);
const told = Object.keys(chinese.told) as MessageKey[];
const fill = tell as unknown as (sentence: string, values: Readonly<Record<string, string>>) => string;

/** What each hole may hold, as no sentence of ours would be. */
const held: Readonly<Record<string, string>> = {
	...{
		time: '2026-11-13T12:31:05.000Z',
		stage: 'TEST:2',
		agent: 'x-y',
		pass: 'zz',
		path: '/zz/y',
		command: '`zz y`',
		often: '7 times',
		seldom: '8 times',
	},
};
/** Sentences with a note are known in these. */
const carriers: Readonly<Record<string, MessageKey>> = {
	pass: '{pass} ran in the first run only.',
	times: 'After {pass}: {clause} {often} in the first run, {seldom} in the second.',
	again: '{pass} ran {again} in the first run; in the second it ran {often}.',
	how: '{pass} {how} in the first run; it {instead} in the second.',
	clause: '{pass}: {clause} in the first run only.',
	less: '{path} was changed: {less}#incident',
	check: '{path}: {check}: {why}#incident',
};
const numbers = ['count', 'nth', 'max', 'done', 'total'];
const valuesOf = (sentence: string, seed: number) =>
	Object.fromEntries(
		[...sentence.matchAll(HOLE)].map(([, name = ''], at) => [
			name,
			numbers.includes(name) ? String(2 + ((seed + at) % 90)) : (held[name] ?? `zz${seed}${at}`),
		]),
	);

test('whatever is told in English is known by it again and said in Chinese, with what filled it', () => {
	fc.assert(
		fc.property(fc.constantFrom(...told), fc.nat(1000), (sentence, seed) => {
			const values = valuesOf(sentence, seed);
			const words = chinese.told[sentence].replace(HOLE, (_hole, name: string) =>
				(values[name] ?? '').replace(' times', ' 次'),
			);
			const [, note] = sentence.split('#');
			const carrier = note === undefined ? undefined : carriers[note];
			const hole = note === 'times' ? 'often' : note;
			const whole = carrier && hole ? fill(carrier, { ...valuesOf(carrier, 3), [hole]: fill(sentence, values) }) : '';
			if (note === 'incident' || note === 'chapter') expect(say.told(fill(sentence, values), note)).toBe(words);
			else if (carrier) expect(say.told(whole, 'incident')).toContain(words);
			else expect(say.told(fill(sentence, values))).toBe(words);
		}),
		{ numRuns: 20 * told.length },
	);
});

test('a sentence within another, a list of them, and one that stands beside others are said as well', () => {
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

test('a sentence that is known everywhere has words of its own, which no other text has by chance', () => {
	const bare = told.filter((sentence) => !/#/.test(sentence) && !/[a-z]{2}/i.test(sentence.replace(/\{\w+\}/g, '')));
	expect(bare.filter((sentence) => sentence.includes('{'))).toEqual([]);
	expect(say.told('blocked · Nothing was run. Run it.')).toBe('已阻止 · Nothing was run. Run it.');
});

test('text of an agent stays as it came, though it holds our words', () => {
	const texts = [
		...['Everything passed', 'all 3 denied', 'which of these', 'one of three', 'got 3, expected 4', 'x waits', ''],
		...['fix the tokens', 'constructor', `${'x'.repeat(1000)} passed`],
	];
	expect(texts.map((one) => say.told(one))).toEqual(texts);
	expect(say.told('blocked 1 of 20: 3 denied')).toBe('已阻止 1/20：3 denied');
	expect(say.told('architect ≠ plan, held')).toBe('architect 不在计划内，等待决定');
	expect(english.told('thinking')).toBe('thinking');
});

test('no text takes long, whatever it repeats', () => {
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

test('what is told is a sentence that there is, with all that it needs: the types know it', () => {
	// @ts-expect-error a sentence that nobody has written in Chinese
	expect(tell('{count} refused', { count: 1 })).toBe('1 refused');
	// @ts-expect-error without what fills its hole
	expect(tell('{count} denied')).toBe(' denied');
	expect(tell('{count} {count:tool error|tool errors}', { count: 1 })).toBe('1 tool error');
	expect(tell('{count} {count:tool error|tool errors}', { count: 1234 })).toBe('1234 tool errors');
});

test('where two runs went apart is said in Chinese', () => {
	const said = [
		'TEST:2 (run 2) was rejected in the second run; it passed in the first.',
		'DEV ran a second time in the first run (the total, with tax); in the second it ran once.',
		'After TEST: Bash sudo a: b was denied (command.excluded) 3 times in the first run, not at all in the second.',
		'Before the first stage: a stop was refused (loop.open-stages) in the second run only.',
		'The first run followed the workflow quick, the second no workflow.',
		'The first run was completed, the second was aborted.',
	];
	expect(said.map((one) => say.told(one))).toEqual([
		'TEST:2（第 2 次） 在第二次运行中被驳回；在第一次中通过。',
		'DEV 在第一次运行中运行了第 2 次（the total, with tax）；在第二次中运行了 1 次。',
		'TEST 之后：Bash sudo a: b 被拒绝（command.excluded），第一次运行 3 次，第二次 0 次。',
		'第一个阶段之前：停止被驳回（loop.open-stages），仅在第二次运行中。',
		'第一次运行：工作流 quick；第二次：无工作流。',
		'第一次运行已完成，第二次已中止。',
	]);
});

test('what the server has seen go wrong, and what to do, is said in Chinese', () => {
	expect(
		say.told('/p/config.json was changed: commands.exclude no longer names rm; x.y is no longer on', 'incident'),
	).toBe('/p/config.json 被修改：commands.exclude 不再包含 rm，x.y 不再开启');
	expect(say.told('/p: hooks enabled: disableAllHooks is set in /p/a.json', 'incident')).toBe(
		'/p：钩子已启用：/p/a.json 中设置了 disableAllHooks',
	);
	expect(say.told('/p: hooks enabled: disableAllHooks is set in /p/a.json')).toBe(
		'/p: hooks enabled: disableAllHooks is set in /p/a.json',
	);
	expect(say.known('run `signalbox init --project /p`')).toBe('运行 `signalbox init --project /p`');
});
