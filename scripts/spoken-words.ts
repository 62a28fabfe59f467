import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = join(import.meta.dirname, '..');

/** Attributes and properties that people read or hear; elsewhere a text in quotes is a name or a class. */
const SPOKEN =
	/^(?:aria-label|aria-description|aria-valuetext|title|placeholder|label|alt|name|heading|hint|empty|note)$/;
const WORDS = /\p{L}{2,}/u;

/** A node of the syntax tree, as far as it is looked at here. */
interface Node {
	type: string;
	start: number;
	[key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The components' sources, without tests. */
export const componentFiles = () =>
	['app', 'components'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'))
			.map((path) => `${folder}/${path}`),
	);

/** The words of a file that a reader would see in English whatever they chose, with their lines: `12 Sign out`. */
export function untranslatedWords(file: string, source = readFileSync(join(ROOT, file), 'utf8')): string[] {
	const found: string[] = [];
	const report = (node: Node, words: string) => {
		if (!WORDS.test(words)) return;
		const before = source.slice(0, node.start + words.length - words.trimStart().length);
		found.push(`${before.split('\n').length} ${words.trim().replaceAll(/\s+/g, ' ')}`);
	};
	/** What an expression may come to, as far as its words stand in it. */
	function tellExpression(node: unknown): void {
		if (!isNode(node)) return;
		if (node.type === 'Literal' && typeof node.value === 'string') report(node, node.value);
		if (node.type === 'TemplateLiteral') {
			const quasis = node.quasis as { value: { cooked: string } }[];
			report(node, quasis.map(({ value }) => value.cooked).join('…'));
		}
		const isText = node.type === 'LogicalExpression' ? node.operator !== '&&' : node.operator === '+';
		const sides = node.type === 'LogicalExpression' || isText ? ['right', ...(isText ? ['left'] : [])] : [];
		for (const part of ['consequent', 'alternate', 'expression', ...sides]) tellExpression(node[part]);
	}
	/** The words that stand in an element's content or in what names it. */
	function tellSpoken(node: Node): void {
		if (node.type === 'JSXText') report(node, node.value as string);
		if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
			for (const { type, expression } of node.children as Node[]) {
				if (type === 'JSXExpressionContainer') tellExpression(expression);
			}
		}
		if (node.type === 'JSXAttribute' && SPOKEN.test((node.name as { name: string }).name)) {
			const value = node.value as Node | null;
			tellExpression(value?.type === 'JSXExpressionContainer' ? value.expression : value);
		}
	}
	function visit(node: unknown): void {
		if (Array.isArray(node)) return node.forEach(visit);
		if (!isNode(node)) return;
		tellSpoken(node);
		for (const part of Object.values(node)) visit(part);
	}
	visit(parseSync(file, source).program);
	return found;
}
