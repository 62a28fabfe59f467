/*
 * Words that the glossary says not to write ("Do not write" in docs/glossary.md), found in the names and comments of the product, in
 * documents, in the hook's scripts and in messages. `npx tsx scripts/avoided-words.ts [FOLDER]` lists them with what to write instead.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A word to avoid where it was found: `lib/a.ts:12 told: write Recorded`. */
export type Finding = string;

/** The tables of the glossary: words for the end of a name, names of functions, and phrases, each with what to write instead. */
interface Avoided {
	endings: ReadonlyMap<string, string>;
	functions: ReadonlyMap<string, string>;
	/** First words of functions and methods. */
	beginnings: ReadonlyMap<string, string>;
	phrases: ReadonlyMap<string, string>;
}

/** A node of the syntax tree, as far as names are declared in it. */
interface Node {
	type: string;
	start: number;
	name?: unknown;
	[key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const FUNCTION = /Function/;
const firstWord = (name: string) => /^[a-z]+/.exec(name)?.[0] ?? '';
/** A person or an agent that learns something, in plain English. */
const PLAIN = /\b(?:is|was) told (?:apart|to|why|how|that)\b/gi;

/** Reads the two tables below `## Do not write`. Throws if one of them is empty. */
export function readAvoidedWords(glossary: string): Avoided {
	const section = glossary.split('\n## Do not write\n')[1]?.split('\n## ')[0] ?? '';
	const [names = '', sentences = ''] = section.split('\nIn sentences:\n');
	const rows = (text: string) =>
		[...text.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].flatMap(([, word = '', instead = '']) =>
			/^(?:Do not write|-+)/.test(word) ? [] : [[word.replaceAll('`', ''), instead] as const],
		);
	const ofNames = rows(names);
	const phrases = rows(sentences);
	if (ofNames.length === 0 || phrases.length === 0) throw new Error('docs/glossary.md has no table "Do not write".');
	return {
		endings: new Map(ofNames.filter(([word]) => /^[A-Z]/.test(word))),
		functions: new Map(ofNames.filter(([word]) => /^[a-z]+$/i.test(word) && !/^[A-Z]/.test(word))),
		beginnings: new Map(
			ofNames.flatMap(([word, instead]) => (word.endsWith('…') ? [[word.slice(0, -1), instead] as const] : [])),
		),
		phrases: new Map(phrases),
	};
}

/** Of one file: names whose last word is to be avoided, or the whole of a function's name; and phrases in its comments. */
export function findAvoidedWords(file: string, source: string, { endings, functions, beginnings, phrases }: Avoided) {
	const { program, comments } = parseSync(file, source);
	const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
	const found: Finding[] = [];
	const report = (node: unknown, isFunction: boolean) => {
		if (!isNode(node) || typeof node.name !== 'string') return;
		const last = /(?:[A-Z]?[a-z]+|[A-Z]+)$/.exec(node.name)?.[0] ?? '';
		const instead =
			endings.get(last.charAt(0).toUpperCase() + last.slice(1)) ??
			(isFunction ? (functions.get(node.name) ?? beginnings.get(firstWord(node.name))) : undefined);
		if (instead) found.push(`${file}:${lineAt(node.start)} ${node.name}: write ${instead}`);
	};
	const reportMethod = (node: unknown) => {
		if (!isNode(node) || typeof node.name !== 'string') return;
		const instead = beginnings.get(firstWord(node.name));
		if (instead) found.push(`${file}:${lineAt(node.start)} ${node.name}: write ${instead}`);
	};
	/** What a pattern declares. A name that a property gives (`{ told }`) is not chosen here. */
	function visitPattern(node: unknown): void {
		if (!isNode(node)) return;
		if (node.type === 'Identifier') report(node, false);
		if (node.type === 'ArrayPattern') (node.elements as unknown[]).forEach(visitPattern);
		if (node.type === 'AssignmentPattern') visitPattern(node.left);
		if (node.type === 'RestElement') visitPattern(node.argument);
		if (node.type === 'ObjectPattern')
			for (const property of node.properties as Node[])
				if (property.shorthand !== true) visitPattern(property.value ?? property);
	}
	function visit(node: unknown): void {
		if (Array.isArray(node)) return node.forEach(visit);
		if (!isNode(node)) return;
		if (node.type === 'VariableDeclarator') {
			if (isNode(node.init) && FUNCTION.test(node.init.type)) report(node.id, true);
			else visitPattern(node.id);
		}
		if (FUNCTION.test(node.type)) {
			report(node.id, true);
			if (Array.isArray(node.params)) node.params.forEach(visitPattern);
		}
		if (/^(?:MethodDefinition|TSMethodSignature)$/.test(node.type)) reportMethod(node.key);
		if (node.type === 'Property' && isNode(node.value) && FUNCTION.test(node.value.type)) reportMethod(node.key);
		if (/^(?:ClassDeclaration|TSTypeAliasDeclaration|TSInterfaceDeclaration)$/.test(node.type)) report(node.id, false);
		for (const part of Object.values(node)) visit(part);
	}
	visit(program);
	const inComments = comments.flatMap(({ start, value }) =>
		avoidedPhrases(value, phrases).map(([phrase, instead]) => `${file}:${lineAt(start)} ${phrase}: write ${instead}`),
	);
	return { names: found, comments: inComments };
}

/** Phrases to avoid in a text, with what to write instead; line breaks and the stars of a comment count as blanks. */
function avoidedPhrases(text: string, phrases: Avoided['phrases']): (readonly [string, string])[] {
	const flat = text.replaceAll(/\s+(?:\*\s+)?/g, ' ').replaceAll(PLAIN, '');
	return [...phrases].flatMap((row) => [...flat.matchAll(new RegExp(`\\b${row[0]}\\b`, 'gi'))].map(() => row));
}

/** Words to avoid below a folder of the product, by kind. */
export function avoidedBelow(root: string, folder: string, words: Avoided) {
	const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => `${folder}/${path.split(sep).join('/')}`)
		.filter((path) => /\.tsx?$/.test(path));
	const found = files.map((file) => findAvoidedWords(file, readFileSync(join(root, file), 'utf8'), words));
	return { names: found.flatMap(({ names }) => names), comments: found.flatMap(({ comments }) => comments) };
}

/** Phrases to avoid in the documents: each Markdown file but the glossary, and the decisions of before. */
export function avoidedInDocuments(root: string, { phrases }: Avoided): Finding[] {
	const paths = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`);
	return [
		'README.md',
		'CONTRIBUTING.md',
		...paths.filter((path) => path.endsWith('.md') && !path.endsWith('glossary.md')),
	].flatMap((path) =>
		avoidedPhrases(readFileSync(join(root, path), 'utf8'), phrases).map(
			([phrase, instead]) => `${path} ${phrase}: write ${instead}`,
		),
	);
}

/** Phrases to avoid in the hook's shell and perl: names, comments and texts. */
export const avoidedInScripts = (root: string, words: Avoided) =>
	avoidedInFolder(root, 'hooks-bridge/hook', /\.(?:sh|pl)$/, words);

/** Phrases to avoid in messages: each dictionary lists the English words of its messages. */
export const avoidedInMessages = (root: string, words: Avoided) =>
	avoidedInFolder(root, 'lib/messages/chinese', /^(?!.*\.test\.)/, words);

function avoidedInFolder(root: string, folder: string, wanted: RegExp, { phrases }: Avoided): Finding[] {
	const files = readdirSync(join(root, folder)).filter((name) => wanted.test(name));
	return files.flatMap((name) =>
		readFileSync(join(root, folder, name), 'utf8')
			.split('\n')
			.flatMap((line, at) =>
				avoidedPhrases(line, phrases).map(
					([phrase, instead]) => `${folder}/${name}:${at + 1} ${phrase}: write ${instead}`,
				),
			),
	);
}

if (import.meta.filename === process.argv[1]) {
	const root = join(import.meta.dirname, '..');
	const words = readAvoidedWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
	const { names, comments } = avoidedBelow(root, (process.argv[2] ?? 'lib').replace(/\/$/, ''), words);
	console.log([...names, ...comments].join('\n'));
	console.log(`${names.length} names, ${comments.length} comments`);
}
