import { resultTone } from '#lib/session/row.ts';
import { type VerdictPart, verdictParts } from '#lib/workflow/verdict-comment.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../cn.ts';
import { Toned } from '../tone.tsx';
import { AgentText } from './agent-text.tsx';

interface VerdictTextProps {
	children: string;
	/** See `AgentText`. */
	block?: boolean;
	className?: string;
}

/** A report with verdict comments as marks. Not for what is decided on or was run: that is shown unchanged. */
export function VerdictText({ children, block = false, className }: VerdictTextProps) {
	const parts = verdictParts(children);
	const only = parts[0]?.kind === 'text' && parts.length === 1;
	if (only) return <AgentText {...{ block, ...(className && { className }) }}>{children}</AgentText>;
	const Box = block ? 'div' : 'span';
	return (
		<Box className={cn(block && 'whitespace-pre-wrap font-mono text-mono [overflow-wrap:anywhere]', className)}>
			{parts.map((part, index) =>
				part.kind === 'text' ? (
					// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order.
					<AgentText key={index}>{part.text}</AgentText>
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order.
					<VerdictMark key={index} verdict={part} />
				),
			)}
		</Box>
	);
}

export function VerdictMark({ verdict: { result, more } }: { verdict: Extract<VerdictPart, { kind: 'verdict' }> }) {
	const say = useSay();
	const tone = resultTone(result, 'ok');
	return (
		<span>
			<Toned tone={tone} className="whitespace-nowrap rounded-xs border border-current px-1 font-sans">
				{say('Verdict: {result}', { result })}
			</Toned>
			{more && <AgentText>{` ${more}`}</AgentText>}
		</span>
	);
}
