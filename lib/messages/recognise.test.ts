import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chinese } from './chinese.ts';
import { english, type SentenceTopic, sayIn } from './say.ts';
import { HOLE, type MessageKey, sentence } from './sentence.ts';

const say = sayIn('zh-CN', chinese);
const fill = sentence as unknown as (sentence: string, values: Readonly<Record<string, string>>) => string;
/** Every sentence with the place in which a page knows it, and its note. */
const sentences = Object.entries<Readonly<Record<string, string>>>(chinese.sentences).flatMap(([table, words]) =>
	Object.keys(words).map((sentence) => {
		const [, note = ''] = sentence.split('#');
		const isShown = note === 'check' || note === 'incident';
		return {
			sentence,
			note,
			words: words[sentence] ?? '',
			place: (isShown ? `${table}#${note}` : table) as SentenceTopic,
		};
	}),
);

/** What each hole may hold, as no sentence of ours would be, and that in Chinese. */
const held: Readonly<Record<string, readonly [english: string, chinese: string]>> = {
	...{
		time: ['2026-11-13T12:31:05.000Z', '2026-11-13T12:31:05.000Z'],
		stage: ['TEST:2', 'TEST:2'],
		agent: ['x-y', 'x-y'],
		pass: ['zz', 'zz'],
		path: ['/zz/y', '/zz/y'],
		command: ['`zz y`', '`zz y`'],
		often: ['7 times', '7 次'],
		seldom: ['8 times', '8 次'],
		alarm: ['silent', '长时间没有动静'],
		ended: ['rejected', '被驳回'],
		outcome: ['held', '等待决定'],
		result: ['fail', '失败'],
	},
};
/** Sentences with a note are known in holes of these. */
const carriers: Readonly<Record<string, readonly [MessageKey, SentenceTopic]>> = {
	pass: ['{pass} ran in the first run only.', 'compare'],
	times: ['After {pass}: {clause} {often} in the first run, {seldom} in the second.', 'compare'],
	again: ['{pass} ran {again} in the first run; in the second it ran {often}.', 'compare'],
	how: ['{pass} {how} in the first run; it {instead} in the second.', 'compare'],
	clause: ['{pass}: {clause} in the first run only.', 'compare'],
	less: ['{path} was changed: {less}#incident', 'health#incident'],
	'health how': ['The routing plan {plan} {how}: {why}. If it was not you, put it back', 'health'],
	'health clause': ['{clause}. {end}#incident', 'health#incident'],
};
const numbers = ['count', 'nth', 'max', 'done', 'total'];
const valuesOf = (sentence: string, seed: number, at: 0 | 1 = 0) =>
	Object.fromEntries(
		[...sentence.matchAll(HOLE)].map(([, name = ''], nth) => [
			name,
			numbers.includes(name) ? String(2 + ((seed + nth) % 90)) : (held[name]?.[at] ?? `zz${seed}${nth}`),
		]),
	);

test('any recorded English message is recognised and shown in Chinese with its values', () => {
	fc.assert(
		fc.property(fc.constantFrom(...sentences), fc.nat(1000), ({ sentence, note, words: text, place }, seed) => {
			const translated = valuesOf(sentence, seed, 1);
			const words = text.replace(HOLE, (_hole, name: string) => translated[name] ?? '');
			const [carrier, within] = carriers[`${place.split('#')[0]} ${note}`] ?? carriers[note] ?? [];
			const values = valuesOf(sentence, seed);
			if (!carrier || !within) {
				expect(say.sentence(fill(sentence, values), place)).toBe(words);
				return;
			}
			const hole = note === 'times' ? 'often' : note;
			const whole = fill(carrier, { ...valuesOf(carrier, 3), [hole]: fill(sentence, values) });
			expect(say.sentence(whole, within)).toContain(words);
		}),
		{ numRuns: 20 * sentences.length },
	);
});

test('a sentence within another, and a list of them, are translated as well', () => {
	expect(say.sentence('TEST:2, REVIEW waits for you: REVIEW ended with reject', 'judgement')).toBe(
		'TEST:2, REVIEW 等待你：REVIEW 以“驳回”结束',
	);
	expect(say.sentence('TEST failed, REVIEW rejected ×2: the total, and the tax', 'judgement')).toBe(
		'TEST 失败，REVIEW 被驳回 ×2：the total, and the tax',
	);
	expect(say.sentence('TEST failed: a, b', 'judgement')).toBe('TEST 失败：a, b');
	expect(say.known('Health')).toBe('健康');
});

test('a sentence with holes has words of its own, or its holes hold only words of ours', () => {
	const isOurs = (sentence: string) => /\{(?:ended|alarm)\}/.test(sentence);
	const bare = sentences.filter(
		({ sentence, note }) => note === '' && !isOurs(sentence) && !/[a-z]{2}/i.test(sentence.replace(/\{\w+\}/g, '')),
	);
	expect(bare.map(({ sentence }) => sentence).filter((sentence) => sentence.includes('{'))).toEqual([
		'{stage}: {result}',
	]);
});

const kinds = [...new Set(sentences.map(({ place }) => place))];

test('text of an agent stays as it came, though it holds our words', () => {
	const texts = [
		...['Everything passed', 'all 3 denied', 'which of these', 'one of three', 'got 3, expected 4', 'x waits', ''],
		...['fix the tokens', 'constructor', 'blocked · held', 'x · denied', `${'x'.repeat(1000)} passed`],
	];
	for (const kind of kinds) expect(texts.map((one) => say.sentence(one, kind))).toEqual(texts);
	expect(say.sentence('blocked 1 of 20: 3 denied', 'judgement')).toBe('已阻止 1/20：3 denied');
	expect(say.sentence('blocked 1 of 20: reviewing', 'judgement')).toBe('已阻止 1/20：reviewing');
	expect(say.sentence('architect ≠ plan, held', 'judgement')).toBe('architect 不在计划内，等待决定');
	expect(english.sentence('thinking', 'doing')).toBe('thinking');
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
			for (const kind of kinds) expect(say.sentence(text.join(''), kind).length).toBeGreaterThan(0);
		}),
		{ numRuns: 50 },
	);
});

test('a recorded message is one of the catalogue with all of its values: the types enforce it', () => {
	// @ts-expect-error a sentence that nobody has written in Chinese
	expect(sentence('{count} refused', { count: 1 })).toBe('1 refused');
	// @ts-expect-error without what fills its hole
	expect(sentence('{count} denied')).toBe(' denied');
	expect(sentence('{count} {count:tool error|tool errors}', { count: 1 })).toBe('1 tool error');
	expect(sentence('{count} {count:tool error|tool errors}', { count: 1234 })).toBe('1234 tool errors');
});

test('where two runs diverged is shown in Chinese', () => {
	const texts = [
		'TEST:2 (run 2) was rejected in the second run; it passed in the first.',
		'DEV ran a second time in the first run (the total, with tax); in the second it ran once.',
		'After TEST: Bash sudo a: b was denied (command.excluded) 3 times in the first run, not at all in the second.',
		'Before the first stage: a stop was refused (loop.open-stages) in the second run only.',
		'The first run followed the workflow quick, the second no workflow.',
		'The first run was completed, the second was aborted.',
	];
	expect(texts.map((one) => say.sentence(one, 'compare'))).toEqual([
		'TEST:2（第 2 次） 在第二次运行中被驳回；在第一次中通过。',
		'DEV 在第一次运行中运行了第 2 次（the total, with tax）；在第二次中运行了 1 次。',
		'TEST 之后：Bash sudo a: b 被拒绝（command.excluded），第一次运行 3 次，第二次 0 次。',
		'第一个阶段之前：停止被驳回（loop.open-stages），仅在第二次运行中。',
		'第一次运行：工作流 quick；第二次：无工作流。',
		'第一次运行已完成，第二次已中止。',
	]);
});

test('what the server has seen go wrong, and what to do, is shown in Chinese', () => {
	expect(
		say.sentence(
			'/p/config.json was changed: commands.exclude no longer names rm; x.y is no longer on',
			'health#incident',
		),
	).toBe('/p/config.json 被修改：commands.exclude 不再包含 rm，x.y 不再开启');
	expect(say.sentence('/p: hooks enabled: disableAllHooks is set in /p/a.json', 'health#incident')).toBe(
		'/p：钩子已启用：/p/a.json 中设置了 disableAllHooks',
	);
	expect(say.sentence('/p: hooks enabled: disableAllHooks is set in /p/a.json', 'health')).toBe(
		'/p: hooks enabled: disableAllHooks is set in /p/a.json',
	);
	expect(say.known('run `signalbox init --project /p`')).toBe('运行 `signalbox init --project /p`');
});
