import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAvoidedWords, readAvoidedWords } from './avoided-words.ts';

const root = join(import.meta.dirname, '..');
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
const words = readAvoidedWords(glossary);

test('R2820 a name that ends in a word that the glossary avoids is reported with the word to write', () => {
	const source = `
		interface ApprovalDesk { told: string }
		const { told, other: said, list: [pace = 1] } = read();
		function tell(place: string) { return (turn: number) => place + turn; }
		const take = () => tell('x');
		const taken = take, replace = tell;`;
	expect(findAvoidedWords('a.ts', source, words).names).toEqual([
		'a.ts:2 ApprovalDesk: write Service',
		'a.ts:3 said: write Message',
		'a.ts:3 pace: write RateLimit',
		'a.ts:4 tell: write recordX, reportX',
		'a.ts:4 place: write Address, Folder, Context, Position',
		'a.ts:4 turn: write Batch',
		'a.ts:5 take: write ingestX, acceptX',
	]);
});

test('R2820 a function or method that begins with a word that the glossary avoids is reported', () => {
	const source = `
		const lookAtDoor = () => 1;
		class Door { tellAll() {} listen() {} }
		const port = { heardFrom: () => 2, tells: 3 };`;
	expect(findAvoidedWords('a.ts', source, words).names).toEqual([
		'a.ts:2 lookAtDoor: write checkX, readX',
		'a.ts:3 tellAll: write recordX, reportX, sendX',
		'a.ts:4 heardFrom: write noteRead, receivedX',
	]);
});

test('R2820 a phrase that the glossary avoids is found in a comment across its line breaks, and not in code', () => {
	const source = `/*\n * Each row is\n * told once.\n */\nconst anew = 'anew'; // Read anew.`;
	expect(findAvoidedWords('a.ts', source, words).comments).toEqual([
		'a.ts:1 is told: write learns, receives, is recorded',
		'a.ts:1 told once: write recorded once',
		'a.ts:5 anew: write again',
	]);
});

test('R2820 a glossary without its tables is refused', () => {
	expect(() => readAvoidedWords('# Glossary\n')).toThrow('Do not write');
});

test('each file that the glossary names exists', () => {
	const files = [...glossary.matchAll(/`((?:app|components|server|lib|hooks-bridge)\/[\w./-]+\.tsx?)`/g)].map(
		([, file = '']) => file,
	);
	expect(files.length).toBeGreaterThan(20);
	expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
