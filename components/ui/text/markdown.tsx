import { createElement, type ReactNode, useMemo, useState } from 'react';
import { isPlain, type MarkdownNode, type MarkdownTag, readMarkdown } from '#lib/markdown/read-markdown.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { Button } from '../button.tsx';
import { AgentText } from './agent-text.tsx';
import { VerdictMark, VerdictText } from './verdict-text.tsx';

interface MarkdownProps {
	children: string;
	/** Keeps the line breaks of the source, as a terminal does; documents are wrapped again. */
	keepsLines?: boolean;
}

interface Around {
	keepsLines: boolean;
	/** Links cannot be nested. */
	inLink?: boolean;
}

/** Headings of a text are smaller than those of the page. */
const looks: Record<MarkdownTag, readonly [tag: string, className: string]> = {
	p: ['p', 'my-1.5'],
	h1: ['h3', 'mt-3 mb-1 font-semibold text-title'],
	h2: ['h4', 'mt-3 mb-1 font-semibold'],
	h3: ['h5', 'mt-2 mb-1 font-semibold text-muted'],
	h4: ['h6', 'mt-2 mb-1 font-semibold text-muted'],
	h5: ['h6', 'mt-2 mb-1 text-muted'],
	h6: ['h6', 'mt-2 mb-1 text-muted'],
	ul: ['ul', 'my-1 list-disc pl-5'],
	ol: ['ol', 'my-1 list-decimal pl-6'],
	li: ['li', 'my-0.5'],
	blockquote: ['blockquote', 'my-1.5 border-line border-l-2 pl-3 text-muted'],
	em: ['em', 'italic'],
	strong: ['strong', 'font-semibold'],
	s: ['s', ''],
	table: ['table', 'border-collapse text-left'],
	thead: ['thead', 'text-muted'],
	tbody: ['tbody', ''],
	tr: ['tr', 'border-line border-b'],
	th: ['th', 'px-2 py-1 font-normal'],
	td: ['td', 'px-2 py-1 align-top'],
};

/** Agent text rendered as Markdown. The source is one click away if it differs. */
export function Markdown({ children, keepsLines = false }: MarkdownProps) {
	const say = useSay();
	const [isText, setText] = useState(false);
	const nodes = useMemo(() => readMarkdown(children), [children]);
	if (!nodes) {
		return (
			<>
				<p className="text-muted">{say('Too long or too deep to be drawn: this is the text itself.')}</p>
				<VerdictText block>{children}</VerdictText>
			</>
		);
	}
	return (
		<div className="relative [overflow-wrap:anywhere]">
			{!isPlain(nodes) && (
				<Button
					kind="quiet"
					size="small"
					aria-pressed={isText}
					onClick={() => setText(!isText)}
					className="float-right ml-2 text-muted text-small aria-pressed:bg-selected"
				>
					{say('As text')}
				</Button>
			)}
			{isText ? <VerdictText block>{children}</VerdictText> : <Nodes nodes={nodes} around={{ keepsLines }} />}
		</div>
	);
}

function Nodes({ nodes, around }: { nodes: readonly MarkdownNode[]; around: Around }): ReactNode {
	return nodes.map((node, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order.
		<Node key={index} node={node} around={around} />
	));
}

function Node({ node, around }: { node: MarkdownNode; around: Around }): ReactNode {
	const say = useSay();
	switch (node.kind) {
		case 'text':
			return <AgentText>{node.text}</AgentText>;
		case 'code':
			return <AgentText className="rounded-xs bg-hover px-1 font-mono text-mono">{node.text}</AgentText>;
		case 'block':
			return (
				<div className="my-1.5 rounded border border-line bg-raised p-2">
					<AgentText block>{node.text}</AgentText>
				</div>
			);
		case 'line':
			return node.isHard || around.keepsLines ? <br /> : ' ';
		case 'rule':
			return <hr className="my-2 border-line" />;
		case 'box':
			return (
				<span
					role="img"
					aria-label={node.isDone ? say('done') : say('open#box')}
					className={node.isDone ? 'text-ok' : 'text-muted'}
				>
					{node.isDone ? '☑ ' : '☐ '}
				</span>
			);
		case 'verdict':
			return <VerdictMark verdict={node} />;
		case 'link':
			return (
				<Address address={node.address} isShown={isShownAlone(node.address, node.children)}>
					<Nodes nodes={node.children} around={{ ...around, inLink: true }} />
				</Address>
			);
		case 'image': {
			const picture = (
				<Phrase
					of="[picture: {words}]"
					with={{ words: <Nodes nodes={node.children} around={{ ...around, inLink: true }} /> }}
				/>
			);
			if (around.inLink) return picture;
			return (
				<Address address={node.address} isShown={false}>
					{picture}
				</Address>
			);
		}
		case 'element':
			return <Element node={node} around={around} />;
	}
}

function Element({ node, around }: { node: Extract<MarkdownNode, { kind: 'element' }>; around: Around }) {
	const [tag, className] = looks[node.tag];
	const start = node.start === undefined || node.start === 1 ? {} : { start: node.start };
	const drawn = createElement(tag, { className, ...start }, <Nodes nodes={node.children} around={around} />);
	if (node.tag !== 'table') return drawn;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
		<div tabIndex={0} className="scroll-hint my-1.5 overflow-x-auto">
			{drawn}
		</div>
	);
}

/** Links are not clickable, because the agent may want them visited. The target is shown beside the text. */
function Address({ address, isShown, children }: { address: string; isShown: boolean; children: ReactNode }) {
	return (
		<>
			<span className="underline decoration-dotted underline-offset-2">{children}</span>
			{!isShown && (
				<span className="text-muted">
					{' '}
					(<AgentText className="font-mono text-mono">{address}</AgentText>)
				</span>
			)}
		</>
	);
}

function isShownAlone(address: string, [only, more]: readonly MarkdownNode[]): boolean {
	return !more && only?.kind === 'text' && (only.text === address || `mailto:${only.text}` === address);
}
