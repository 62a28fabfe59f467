import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
	avoidedBelow,
	avoidedInDocuments,
	avoidedInMessages,
	avoidedInScripts,
	readAvoidedWords,
} from './avoided-words.ts';

const TREES = ['app', 'components', 'server', 'lib', 'hooks-bridge'];
const COMMENT = /^\s*(?:\/\*|\*|\/\/)/;
const NOT_PRODUCT = /\.(test|spec|contract)\.tsx?$|\/testing\/|migrations/;

/** The house in numbers, as `ceilings.json` limits them: by what is measured, then by room, folder or trip. */
export type HouseNumbers = Record<string, Record<string, number>>;

/** Lines a room, entries a folder, words that the glossary avoids, comments, lines of the rules. Only words are counted in tests, too. */
export function measureHouse(root: string): HouseNumbers {
	const lines: Record<string, number> = {};
	let comments = 0;
	const entries: Record<string, number> = {};
	for (const path of TREES.flatMap((tree) => filesOf(root, tree))) {
		const text = readFileSync(join(root, path), 'utf8');
		const room = path.split('/').slice(0, 2).join('/');
		const key = /\.tsx?$/.test(room) || path.startsWith('app/') ? (path.split('/')[0] ?? '') : room;
		lines[key] = (lines[key] ?? 0) + text.split('\n').length;
		comments += text.split('\n').filter((line) => COMMENT.test(line)).length;
	}
	for (const folder of TREES.flatMap((tree) => [tree, ...roomsOf(root, tree)])) {
		entries[folder] = readdirSync(join(root, folder)).filter((name) => !NOT_PRODUCT.test(`/${name}`)).length;
	}
	const rules = readFileSync(join(root, 'docs/rules.md'), 'utf8').split('\n').length;
	const words = readAvoidedWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
	const avoided = TREES.map((tree) => avoidedBelow(root, tree, words));
	const count = (of: 'names' | 'comments') => avoided.reduce((sum, found) => sum + found[of].length, 0);
	const other = {
		'names to avoid': count('names'),
		'phrases to avoid in comments': count('comments'),
		'phrases to avoid in documents': avoidedInDocuments(root, words).length,
		'phrases to avoid in messages': avoidedInMessages(root, words).length,
		'phrases to avoid in the scripts of the hook': avoidedInScripts(root, words).length,
		'lines of docs/rules.md': rules,
		'lines of comments in a thousand': Math.ceil((1000 * comments) / sumOf(lines)),
	};
	return { lines, entries, other };
}

const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

const filesOf = (root: string, tree: string): string[] =>
	readdirSync(join(root, tree), { recursive: true })
		.map((path) => `${tree}/${String(path).split(sep).join('/')}`)
		.filter((path) => /\.tsx?$/.test(path) && !NOT_PRODUCT.test(path));

const roomsOf = (root: string, tree: string): string[] =>
	tree === 'app'
		? []
		: readdirSync(join(root, tree), { withFileTypes: true })
				.filter((entry) => entry.isDirectory() && entry.name !== 'testing')
				.map(({ name }) => `${tree}/${name}`);
