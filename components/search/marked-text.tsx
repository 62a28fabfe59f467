import type { SearchResult } from '#lib/contract/sessions/search.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** What was said, with the words that were looked for; what stood apart stands apart. */
export function MarkedText({ text, marks }: Pick<SearchResult, 'text' | 'marks'>) {
	const edges = [0, ...marks.flat(), text.length];
	return (
		<span className="[overflow-wrap:anywhere]">
			{edges.slice(1).map((to, at) => {
				const part = text.slice(edges[at], to).replaceAll('\n', ' · ');
				if (part === '') return null;
				return at % 2 === 1 ? (
					<mark key={to} className="bg-selected font-semibold text-text">
						<AgentText>{part}</AgentText>
					</mark>
				) : (
					<AgentText key={to}>{part}</AgentText>
				);
			})}
		</span>
	);
}
