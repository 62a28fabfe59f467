import { type AnsiColour, type AnsiLook, ansiSpans } from '#lib/text/ansi.ts';
import { cn } from '../cn.ts';
import { AgentText } from './agent-text.tsx';

/** Colours of a terminal in those of the page, so that each can be read in both themes. */
const colours: Record<AnsiColour, string> = {
	black: 'text-muted',
	red: 'text-err',
	green: 'text-ok',
	yellow: 'text-warn',
	blue: 'text-accent',
	magenta: 'text-wait',
	cyan: 'text-run',
	white: 'text-text',
};

/** What a command printed, with the colours that it set; any other escape is a chip, as in all text of agents. */
export function TerminalText({ children }: { children: string }) {
	return (
		<div className="whitespace-pre-wrap font-mono text-mono [overflow-wrap:anywhere]">
			{ansiSpans(children).map((span, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the spans of one text never move.
				<AgentText key={at} className={lookClass(span)}>
					{span.text}
				</AgentText>
			))}
		</div>
	);
}

function lookClass({ colour, isBold, isDim, isItalic, isUnderlined }: AnsiLook): string {
	return cn(
		colour ? colours[colour] : isDim && 'text-muted',
		isBold && 'font-semibold',
		isItalic && 'italic',
		isUnderlined && 'underline',
	);
}
