'use client';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Payload } from '../ui/text/payload.tsx';
import type { Ask, BlockedLine } from './ask.ts';

interface CardInputProps {
	sessionId: string;
	ask: Ask;
	/** Hears whether all of it is on screen. */
	onWhole: (isWhole: boolean) => void;
}

/** The whole input of a call, with the command that was denied underlined in it, and the pattern that it met. */
export function CardInput({ sessionId, ask, onWhole }: CardInputProps) {
	const say = useSay();
	const { input, command } = ask;
	return (
		<div>
			<p className="text-muted text-small">{say('Full input')}</p>
			<Payload
				sessionId={sessionId}
				value={input}
				isFolded
				onWhole={onWhole}
				{...(command && { draw: (text) => (isLine(command, text) ? <BlockedText line={command} /> : null) })}
			/>
			{command && command.pattern !== '' && (
				<p>
					<span className="text-muted">{say('Excluded by ')}</span>
					<AgentText className="font-mono text-mono">{command.pattern}</AgentText>
				</p>
			)}
		</div>
	);
}

const isLine = ({ before, found, after }: BlockedLine, text: string) => `${before}${found}${after}` === text;

function BlockedText({ line: { before, found, after } }: { line: BlockedLine }) {
	return (
		<p className="whitespace-pre-wrap font-mono text-mono [overflow-wrap:anywhere]">
			<AgentText>{before}</AgentText>
			<mark className="bg-transparent font-semibold text-err underline decoration-2 underline-offset-2">
				<AgentText>{found}</AgentText>
			</mark>
			<AgentText>{after}</AgentText>
		</p>
	);
}
