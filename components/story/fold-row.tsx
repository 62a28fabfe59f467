import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import type { StoryItem } from '#lib/timeline/story-items.ts';
import { AgentText } from '../text/agent-text.tsx';
import { durationOf } from './call-words.ts';

interface FoldRowProps {
	item: Extract<StoryItem, { kind: 'fold' }>;
	actor: string;
}

/** Like calls in one line: `Read x14`, with the newest one's title. */
export function FoldRow({ item, actor }: FoldRowProps) {
	const [first] = item.rows;
	const newest = item.rows.at(-1);
	const total = item.rows.reduce((sum, { call }) => sum + ((call && durationOf(call)) ?? 0), 0);
	return (
		<span className="flex h-7 w-full items-center gap-x-3">
			<time dateTime={first?.at} className="w-14 shrink-0 font-mono text-mono text-muted">
				{first && clockTime(first.at)}
			</time>
			<AgentText className="w-20 shrink-0 truncate text-muted md:w-28">{actor}</AgentText>
			<span className="min-w-0 flex-1 truncate">
				<span aria-hidden className="inline-block w-4 text-muted">
					{item.open ? '▾' : '▸'}
				</span>
				<AgentText className="font-medium">{first?.call?.tool}</AgentText> ×{item.rows.length}{' '}
				<AgentText className="font-mono text-mono text-muted">{newest?.call?.title}</AgentText>
			</span>
			<span className="flex shrink-0 gap-2">
				<span className="text-ok">
					<span aria-hidden>✓ </span>ran
				</span>
				<span className="hidden w-14 text-right text-muted sm:inline">{spanDuration(total)}</span>
			</span>
		</span>
	);
}
