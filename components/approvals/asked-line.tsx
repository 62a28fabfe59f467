'use client';
import { useEffect } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Say } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { fieldsOf, type PayloadField } from '../ui/text/payload-fields.ts';
import { useCut } from '../ui/use-cut.ts';
import type { Ask } from './ask.ts';
import { headlineOf } from './headline.ts';

/** More of an input than this (UTF-16 units) fits into no line. */
const MOST = 600;

interface AskedLineProps {
	approval: ApprovalView;
	/** Null until it has been read. */
	ask: Ask | null;
	/** Hears whether a part of it is not on screen. */
	onCut: (isCut: boolean) => void;
	className?: string;
}

/** Fields whose value says by itself what it is; others keep their names. */
const PLAIN: ReadonlySet<string> = new Set([
	'',
	'command',
	'prompt',
	'description',
	'file_path',
	'notebook_path',
	'path',
	'url',
	'query',
	'pattern',
	'plan',
]);

/** What is asked, and the whole input with it, in a few lines; a long one is cut, and says so to `onCut`. */
export function AskedLine({ approval, ask, onCut, className }: AskedLineProps) {
	const say = useSay();
	const [ref, isCut] = useCut<HTMLParagraphElement>();
	const fields = ask && !ask.isQuestion ? fieldsOf(ask.input).filter((field) => !isRedundant(field, approval)) : [];
	const isTooLong = fields.reduce((sum, { text }) => sum + text.length, 0) > MOST;
	useEffect(() => onCut(isCut || isTooLong), [onCut, isCut, isTooLong]);
	const head = fields.length > 0 ? withoutInput(approval, say) : headlineOf(approval, say);
	return (
		<p ref={ref} className={cn('line-clamp-4 min-w-0 [overflow-wrap:anywhere] md:line-clamp-6', className)}>
			<AgentText>{head}</AgentText>
			{fields.map(({ name, text }) => (
				<span key={name}>
					{' '}
					{!PLAIN.has(name) && <AgentText className="text-muted text-small">{`${name} `}</AgentText>}
					<AgentText className={name === 'description' ? 'text-muted' : 'whitespace-break-spaces font-mono text-mono'}>
						{text.slice(0, MOST)}
					</AgentText>
				</span>
			))}
		</p>
	);
}

/** What the headline says already, or what a call does anyway. */
function isRedundant({ name, text }: PayloadField, { asked }: ApprovalView): boolean {
	return (name === 'subagent_type' && text === asked) || (name === 'run_in_background' && text === 'false');
}

/** The headline without what the input says right after it: the title, or the command that a gate quotes at its end. */
function withoutInput(approval: ApprovalView, say: Say): string {
	const [first] = approval.denials;
	const head = headlineOf({ ...approval, title: '' }, say);
	return first?.rule.startsWith('command.') ? head.replace(/ \[.*\]$/su, '') : head;
}
