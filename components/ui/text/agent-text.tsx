import { visibleParts } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../cn.ts';

interface AgentTextProps {
	children: string | undefined;
	/** Preserves line breaks and spaces; for inputs and outputs. */
	block?: boolean;
	className?: string;
}

/**
 * The only component that may show agent text: plain, isolated from the text direction around it, invisible characters as chips.
 */
export function AgentText({ children = '', block = false, className }: AgentTextProps) {
	const parts = visibleParts(children);
	return (
		<bdi
			className={cn(
				block ? 'block whitespace-pre-wrap break-words font-mono text-mono [overflow-wrap:anywhere]' : 'text-left',
				className,
			)}
		>
			{parts.map((part, index) =>
				part.kind === 'text' ? (
					part.text
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order.
					<Mark key={index} name={part.name} />
				),
			)}
		</bdi>
	);
}

function Mark({ name }: { name: string }) {
	const say = useSay();
	return (
		<span
			title={say('This character would not be seen')}
			className="mx-px inline-block whitespace-nowrap rounded-sm border border-warn px-0.5 font-mono text-small text-warn leading-3.5 [unicode-bidi:isolate]"
		>
			{name}
		</span>
	);
}
