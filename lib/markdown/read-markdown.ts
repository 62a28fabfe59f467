import MarkdownIt, { type StateInline, type Token } from 'markdown-it';
import { type VerdictPart, verdictAt } from '../workflow/verdict-comment.ts';

/** A longer text (UTF-16 units), or one with more parts, is shown as plain text: drawing it would freeze the page. */
const MAX_TEXT = 100_000;
const MAX_PARTS = 10_000;
/** Deeper nesting is omitted by the library, so such a text is also shown as plain text. */
const MAX_DEPTH = 20;

type VerdictNode = Extract<VerdictPart, { kind: 'verdict' }>;

const tags = [
	...(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'] as const),
	...(['em', 'strong', 's', 'table', 'thead', 'tbody', 'tr', 'th', 'td'] as const),
];
export type MarkdownTag = (typeof tags)[number];

/** A part of a text that was written as Markdown. Every text and address in it is as hostile as its author. */
export type MarkdownNode =
	| { kind: 'text' | 'code' | 'block'; text: string }
	/** The end of a source line: a hard one always breaks, others if the reader keeps lines. */
	| { kind: 'line'; isHard: boolean }
	| { kind: 'rule' }
	/** A box of a task list. */
	| { kind: 'box'; isDone: boolean }
	| VerdictNode
	| { kind: 'link' | 'image'; address: string; children: MarkdownNode[] }
	/** `start`: first number of a list that does not begin with 1. */
	| { kind: 'element'; tag: MarkdownTag; start?: number; children: MarkdownNode[] };

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: MAX_DEPTH });
// Every link is shown as its address and cannot be followed.
markdown.validateLink = () => true;
markdown.disable(['html_block', 'html_inline']);
markdown.inline.ruler.before('escape', 'verdict', (state: StateInline, silent: boolean) => {
	const found = verdictAt(state.src, state.pos);
	if (!found) return false;
	if (!silent) state.push('verdict', '', 0).meta = found.part;
	state.pos = found.end;
	return true;
});

/**
 * Reads Markdown into parts to be drawn; HTML in it is text like any other. Null if it is too long, has too many parts, or is
 * nested too deep. Front matter is a block. Never throws.
 */
export function readMarkdown(text: string): MarkdownNode[] | null {
	if (text.length > MAX_TEXT) return null;
	const frontMatter = /^---\n(?:(.*?)\n)?---(?:\n|$)/su.exec(text.replaceAll('\r\n', '\n'));
	const metadata = frontMatter?.[1];
	const body = frontMatter ? frontMatter.input.slice(frontMatter[0].length) : text;
	const tokens = markdown.parse(body, {});
	const parts = tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
	if (parts > MAX_PARTS || tokens.some(({ level }) => level >= MAX_DEPTH - 2)) return null;
	const nodes = treeOf(tokens);
	return metadata === undefined ? nodes : [{ kind: 'block', text: metadata }, ...nodes];
}

/** Whether it reads the same drawn or as plain text: a few paragraphs of words. */
export function isPlain(nodes: readonly MarkdownNode[]): boolean {
	return nodes.every((node) => {
		if (node.kind === 'element') return node.tag === 'p' && isPlain(node.children);
		return node.kind === 'text' || node.kind === 'line' || node.kind === 'verdict';
	});
}

/** Builds a tree from the library's flat list of opening and closing tokens. */
function treeOf(tokens: readonly Token[]): MarkdownNode[] {
	const root: MarkdownNode[] = [];
	const open: MarkdownNode[][] = [root];
	for (const token of tokens) {
		if (token.nesting < 0) {
			if (!token.hidden) open.pop();
			continue;
		}
		const parent = open.at(-1) ?? root;
		if (token.type === 'inline') {
			parent.push(...treeOf(token.children ?? []));
			if (parent[0]?.kind === 'text') readBox(parent, parent[0].text);
			continue;
		}
		// A paragraph of a tight list is not an element.
		if (token.hidden) continue;
		const node = nodeOf(token);
		parent.push(node);
		if (token.nesting > 0) open.push('children' in node ? node.children : []);
	}
	return root;
}

function nodeOf(token: Token): MarkdownNode {
	const { type, content } = token;
	const tag = tags.find((known) => known === token.tag);
	const addressOf = (name: string) => String(token.attrGet(name) ?? '');
	switch (type) {
		case 'code_inline':
			return { kind: 'code', text: content };
		case 'fence':
		case 'code_block':
			return { kind: 'block', text: content.replace(/\n$/, '') };
		case 'softbreak':
		case 'hardbreak':
			return { kind: 'line', isHard: type === 'hardbreak' };
		case 'hr':
			return { kind: 'rule' };
		case 'verdict':
			return token.meta as VerdictNode;
		case 'link_open':
			return { kind: 'link', address: addressOf('href'), children: [] };
		case 'image':
			return { kind: 'image', address: addressOf('src'), children: treeOf(token.children ?? []) };
		case 'ordered_list_open':
			return { kind: 'element', tag: 'ol', start: Number(token.attrGet('start') ?? 1), children: [] };
		default:
			return tag ? { kind: 'element', tag, children: [] } : { kind: 'text', text: content };
	}
}

/** `[x] ` at the beginning of a list item is a box. */
function readBox(line: MarkdownNode[], text: string): void {
	const box = /^\[([ xX])\](?: |$)/.exec(text);
	if (box)
		line.splice(0, 1, { kind: 'box', isDone: box[1] !== ' ' }, { kind: 'text', text: text.slice(box[0].length) });
}
