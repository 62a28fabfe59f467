import { durationOf } from '#lib/session/hold.ts';
import { shortPath } from '#lib/text/short-path.ts';
import { spanDuration } from '#lib/time/duration.ts';
import type { StoryItem } from '#lib/timeline/story-items.ts';
import { useSay } from '../../language/use-say.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { StoryLine } from './story-line.tsx';

interface FoldRowProps {
	item: Extract<StoryItem, { kind: 'fold' }>;
	actor: string;
	/** The session's folder, left out of paths. */
	folder: string | null;
}

/** Like calls in one line: `Read x14`, with the newest one's title. */
export function FoldRow({ item, actor, folder }: FoldRowProps) {
	const say = useSay();
	const [first] = item.rows;
	const newest = item.rows.at(-1);
	const total = item.rows.reduce((sum, { call }) => sum + ((call && durationOf(call)) ?? 0), 0);
	const outcome = (
		<span className="flex gap-2">
			<span className="text-ok">
				<span aria-hidden>✓ </span>
				{say('ran')}
			</span>
			<span className="hidden w-14 text-right text-muted sm:inline">{spanDuration(total, say.language)}</span>
		</span>
	);
	return (
		<StoryLine at={first?.at} actor={actor} outcome={outcome}>
			<span aria-hidden className="inline-block w-4 text-muted">
				{item.open ? '▾' : '▸'}
			</span>
			<AgentText className="font-medium">{first?.call?.tool}</AgentText> ×{item.rows.length}{' '}
			<AgentText className="font-mono text-mono text-muted">{shortPath(newest?.call?.title ?? '', folder)}</AgentText>
		</StoryLine>
	);
}
