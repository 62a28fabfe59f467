import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimelineEvent } from '../contract/events/event.ts';
import { excerptOf, foldCase, hasTerms, plainText, saidText, searchTerms } from './said-text.ts';

describe('what was typed', () => {
	test.each([
		['  Cart   total ', ['cart', 'total']],
		['"Cart total" due', ['cart total', 'due']],
		['say "never closed', ['say', 'never closed']],
		['a AND b* NEAR(c) col:x -d ^e', ['a', 'and', 'b*', 'near(c)', 'col:x', '-d', '^e']],
		['运行测试 "修复 订单"', ['运行测试', '修复 订单']],
		['twice twice', ['twice']],
		['"" " "', []],
	])('%s is read as text, never as an operator', (typed, terms) => {
		expect(searchTerms(typed)).toEqual(terms);
	});

	test('a text is found by any part of it, in any case', () => {
		const letters = fc.array(fc.constantFrom('a', 'B', 'Σ', 'é', 'İ', '测', '😀', ' ', '\n', '-', '\u0000'), {
			minLength: 1,
		});
		fc.assert(
			fc.property(letters, fc.nat(), fc.nat(20), (chars, from, length) => {
				const part = chars.slice(from % chars.length).slice(0, 1 + length);
				const typed = `"${part.join('').toUpperCase()}"`;
				expect(hasTerms(foldCase(plainText(chars.join(''))), searchTerms(typed))).toBe(true);
			}),
		);
	});

	test('folding keeps every place', () => {
		for (const text of ['İstanbul', 'STRASSE ß', '𝒜BC', 'ΑΣ', '']) expect(foldCase(text)).toHaveLength(text.length);
	});
});

describe('what an event says', () => {
	const event = (type: string, fields: object) =>
		({
			id: 'e',
			ts: '2026-01-01T00:00:00Z',
			category: 'x',
			label: 'x',
			sessionId: 's',
			type,
			...fields,
		}) as TimelineEvent;

	test.each([
		['a prompt', event('prompt:submit', { prompt: 'build\n the  cart', source: 'user' }), 'build the cart'],
		[
			'a command and its words',
			event('tool:call', { tool: 'Bash', input: { command: 'npm test', description: 'Tests' } }),
			'npm test\nTests',
		],
		[
			'a path, without the file’s content',
			event('tool:call', { tool: 'Write', input: { file_path: '/a/cart.ts', content: 'secret' } }),
			'/a/cart.ts',
		],
		[
			'what stands for a large value',
			event('prompt:submit', { prompt: { blob: 'x', bytes: 9, preview: 'long prompt' }, source: 'user' }),
			'long prompt',
		],
		[
			'a question',
			event('tool:call', { tool: 'AskUserQuestion', input: { questions: [{ question: 'Which one?' }] } }),
			'Which one?',
		],
		[
			'a denial',
			event('gate:verdict', { gate: 'g', decision: 'deny', rule: 'a.b', reason: 'not in the plan', facts: {} }),
			'a.b\nnot in the plan',
		],
		[
			'nothing where a gate let it pass',
			event('gate:verdict', { gate: 'g', decision: 'pass', rule: 'a', reason: 'b', facts: {} }),
			'',
		],
		['nothing of an output', event('tool:result', { tool: 'Bash', response: { stdout: 'ok' } }), ''],
		[
			'a person’s reason',
			event('approval:resolve', {
				approvalId: 'a',
				decision: 'approve',
				by: { role: 'operator', via: 'browser', name: 'Anna' },
				reason: 'urgent',
			}),
			'approve\nAnna\nurgent',
		],
	])('%s', (_what, event, text) => {
		expect(saidText(event)).toBe(text);
	});

	test('hostile text is bounded, and is one line a piece', () => {
		const found = saidText(event('prompt:submit', { prompt: `a\u0000b\n${'x'.repeat(60_000)}`, source: 'user' }));
		expect(found).toMatch(/^a b x/);
		expect(found.length).toBeLessThanOrEqual(8000);
	});
});

describe('what a reader sees of it', () => {
	test('a short text is whole, with every place marked, places that touch as one', () => {
		expect(excerptOf('Cart, cart and carts', ['cart', 'ts'])).toEqual({
			text: 'Cart, cart and carts',
			marks: [
				[0, 4],
				[6, 10],
				[15, 20],
			],
		});
	});

	test('a long text is cut around the first place, and the marks are of what is shown', () => {
		fc.assert(
			fc.property(fc.nat(3000), fc.nat(3000), (before, after) => {
				const { text, marks } = excerptOf(`${'é '.repeat(before)}NEEDLE${' 😀'.repeat(after)}`, ['needle']);
				expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['NEEDLE']);
				expect(text.length).toBeLessThanOrEqual(242);
				expect(text).not.toMatch(/\p{Surrogate}/u);
			}),
		);
	});
});

test('a question is found by the answers that it offers', () => {
	const options = [{ label: 'Postgres', description: 'full text is built in' }, 'no option', null];
	const questions = [{ question: 'Which engine?', header: 'Engine', options }, { question: 'And why?' }];
	const call = { type: 'tool:call', tool: 'AskUserQuestion', toolUseId: 't', input: { questions } };
	const event = { id: 'e', ts: '2026-01-01T00:00:00.000Z', sessionId: 's', category: 'tool', label: '', ...call };
	expect(saidText(event as TimelineEvent)).toBe('Which engine?\nPostgres\nfull text is built in\nAnd why?');
});
