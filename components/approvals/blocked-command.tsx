import { AgentText } from '../text/agent-text.tsx';
import type { BlockedLine } from './ask.ts';

/** A denied command line as it was sent, with the command that spoke underlined, and the pattern it met. */
export function BlockedCommand({ command: { before, found, after, pattern } }: { command: BlockedLine }) {
	return (
		<div>
			<p className="max-h-40 overflow-y-auto whitespace-pre-wrap rounded border border-line px-2 py-1 font-mono text-mono [overflow-wrap:anywhere]">
				<AgentText>{before}</AgentText>
				<mark className="bg-transparent font-semibold text-err underline decoration-2 underline-offset-2">
					<AgentText>{found}</AgentText>
				</mark>
				<AgentText>{after}</AgentText>
			</p>
			{pattern !== '' && (
				<p>
					<span className="text-muted">Excluded by </span>
					<AgentText className="font-mono text-mono">{pattern}</AgentText>
				</p>
			)}
		</div>
	);
}
