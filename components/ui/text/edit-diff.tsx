import { type ReactNode, useState } from 'react';
import type { CallEdit } from '#lib/agents/file-edits.ts';
import { type DiffLine, diffLines, diffSize } from '#lib/text/line-diff.ts';
import { useSay } from '../../language/use-say.ts';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { AgentText } from './agent-text.tsx';

const SHOWN_AT_FIRST = 200;

const looks = {
	same: { sign: ' ', words: '', tone: 'text-muted', ground: '' },
	added: { sign: '+', words: 'added: ', tone: 'text-ok', ground: 'bg-ok/10' },
	removed: { sign: '−', words: 'removed: ', tone: 'text-err', ground: 'bg-err/10' },
} as const;

interface EditDiffProps {
	edit: CallEdit;
	aside?: ReactNode;
	/** False if the line above already names the file. */
	hasHead?: boolean;
}

/** The changes of a call as a diff, one block per change. The raw input is shown beside it. */
export function EditDiff({ edit, aside, hasHead = true }: EditDiffProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const pieces = edit.pieces.map(({ from, to }) => diffLines(from, to));
	const { added, removed } = diffSize(pieces.flat());
	let budget = isOpen ? Number.POSITIVE_INFINITY : SHOWN_AT_FIRST;
	const shown = pieces.map((lines) => {
		const part = lines.slice(0, Math.max(0, budget));
		budget -= lines.length;
		return part;
	});
	return (
		<div>
			{hasHead && (
				<div className="flex items-baseline gap-3 pb-1">
					<AgentText className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">{edit.path}</AgentText>
					<span className="ml-auto flex shrink-0 gap-3 whitespace-nowrap">
						{aside}
						<span className="text-ok">+{added}</span> <span className="text-err">−{removed}</span>
					</span>
				</div>
			)}
			<div
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
				tabIndex={0}
				className="max-h-[32rem] overflow-auto rounded border border-line bg-raised py-1"
			>
				{shown.map((lines, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the changes of one call keep their order.
					<div key={index} className={cn(index > 0 && lines.length > 0 && 'mt-1 border-line border-t pt-1')}>
						{lines.map((line, number) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change keep their order.
							<Line key={number} line={line} />
						))}
					</div>
				))}
			</div>
			{budget < 0 && (
				<Button size="small" className="mt-2" onClick={() => setOpen(true)}>
					{say('Show the other {count} lines', { count: -budget })}
				</Button>
			)}
			{edit.isCut && (
				<p className="pt-1 text-muted">{say('Part of it is too large to be compared here; the input has it.')}</p>
			)}
		</div>
	);
}

function Line({ line: { kind, text } }: { line: DiffLine }) {
	const say = useSay();
	const { sign, words, tone, ground } = looks[kind];
	return (
		<div className={cn('flex gap-2 px-2 font-mono text-mono', ground)}>
			<span aria-hidden className={cn('w-2 shrink-0 select-none', tone)}>
				{sign}
			</span>
			<span className="sr-only">{words !== '' && say(words)}</span>
			<AgentText
				className={cn(
					'min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:2]',
					kind === 'same' && 'text-muted',
				)}
			>
				{text}
			</AgentText>
		</div>
	);
}
