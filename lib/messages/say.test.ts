import { expect, test } from 'vitest';
import { errors } from '../contract/errors.ts';
import { categoryOf, eventLabels } from '../contract/events/event-labels.ts';
import type { GateRow } from '../gates/gate.ts';
import { basisWords } from '../gates/gate-hooks.ts';
import { gateTable } from '../gates/gate-table.ts';
import { gateTitle } from '../gates/gate-title.ts';
import { chinese } from './chinese.ts';
import { languageFor } from './language.ts';
import { type Dictionary, english, type Message, type Plain, sayIn } from './say.ts';

const say = sayIn('zh-CN', chinese);

test('R1530 the reader’s choice comes before the browser’s languages, and those go by their weight', () => {
	expect(languageFor('en', 'zh-CN')).toBe('en');
	expect(languageFor('zh-CN', 'en')).toBe('zh-CN');
	expect(languageFor(undefined, 'en;q=0.3, zh-TW;q=0.8, fr')).toBe('zh-CN');
	expect(languageFor('klingon', 'fr, en-GB;q=0.9, zh;q=0.1')).toBe('en');
	for (const nothing of [undefined, null, '', 'fr', '*', 'zh;q=0', ';;q=x,,']) {
		expect(languageFor(undefined, nothing)).toBe('en');
	}
});

test('a message is shown in the reader’s language, with its values filled in and its numbers written by Intl', () => {
	expect(say('Offline since {time}', { time: '12:31' })).toBe('12:31 起离线');
	expect(english('Offline since {time}', { time: '12:31' })).toBe('Offline since 12:31');
	expect(english('{count} calls need your approval', { count: 1234 })).toBe('1,234 calls need your approval');
	expect(say('{call} needs your approval', { call: '{call} #x' })).toBe('{call} #x 需要你批准');
	expect(say.pieces('What to do: {advice}', { advice: 7n })).toEqual(['处理办法：', 7n]);
});

test('a sentence from elsewhere is shown in the reader’s language if it is known, else unchanged', () => {
	expect([say.known('Health'), say.known('toString'), say.known('see #why')]).toEqual(['健康', 'toString', 'see #why']);
});

test('English plurals follow the number, and a note that separates two meanings is not shown', () => {
	const untyped = english as unknown as (message: string, values?: Record<string, number>) => string;
	const message = '{count} {count:call|calls} open#noun';
	expect([1, 2].map((count) => untyped(message, { count }))).toEqual(['1 call open', '2 calls open']);
	expect(untyped('Open#verb')).toBe('Open');
});

/** The names of the holes of a text, without those that only choose an English plural. */
const holes = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

test('the texts of a gate on the Rules page exist in Chinese', () => {
	const texts = gateTable.flatMap(({ id, start, basis, denies }: GateRow) => [
		gateTitle(id),
		...(typeof start === 'string' ? [] : [`where ${start.where}`]),
		basisWords(basis),
		...Object.values(denies),
	]);
	expect(texts.filter((words) => say.known(words) === words)).toEqual([]);
});

test('every error, every event and every kind of event has Chinese words', () => {
	// Of these the type check, too, asks for words.
	const refusals: readonly { say: Plain }[] = Object.values(errors);
	const texts = [
		...refusals.map((error) => error.say),
		...Object.entries(eventLabels).flatMap(([type, { en }]) => [en, categoryOf(type)]),
	];
	expect(texts.filter((words) => say.known(words) === words)).toEqual([]);
});

test('every message has Chinese words with the same holes', () => {
	const all: Dictionary = chinese;
	const wrong = Object.entries(all).filter(
		([message, words]) => words.trim() === '' || holes(message).join() !== holes(words).join() || /:\w*\|/.test(words),
	);
	expect(wrong).toEqual([]);
});

test('each message used is one of the catalogue with all of its values: the types enforce it', () => {
	const message: Message = 'Health';
	// @ts-expect-error a message that nobody has written in Chinese
	const unknown: Message = 'Healthy';
	// @ts-expect-error without what fills its hole
	expect(english('Offline since {time}')).toBe('Offline since {time}');
	expect([message, unknown]).toEqual(['Health', 'Healthy']);
});
