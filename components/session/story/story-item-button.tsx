import { memo } from 'react';
import { visibleString } from '#lib/text/visible-text.ts';
import type { StoryItem } from '#lib/timeline/story-items.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { FoldRow } from './fold-row.tsx';
import { StoryRow } from './story-row.tsx';

interface StoryItemButtonProps {
	item: StoryItem;
	actor: string;
	/** The session's folder, left out of paths. */
	folder: string | null;
	isSelected: boolean;
	/** The only one of the list that the tab key stops at. */
	isTabStop: boolean;
	/** What reviewers noted about it, in a line. */
	note?: string | undefined;
	/** Hears of a choice, and whether it is that of a stretch up to here. */
	onChoose: (item: StoryItem, isUpTo: boolean) => void;
}

/** One line of the story, to be chosen or opened. Kept while it stands: a busy session draws its story forty times a second. */
export const StoryItemButton = memo(function StoryItemButton(props: StoryItemButtonProps) {
	const { item, actor, folder, isSelected, isTabStop, note, onChoose } = props;
	const say = useSay();
	return (
		<button
			type="button"
			data-row={item.key}
			tabIndex={isTabStop ? 0 : -1}
			aria-expanded={item.kind === 'fold' ? item.open : undefined}
			aria-current={isSelected || undefined}
			onClick={(event) => onChoose(item, event.shiftKey)}
			className={cn('flex size-full px-4 text-left hover:bg-hover', isSelected && 'bg-selected hover:bg-selected')}
		>
			{item.kind === 'fold' ? (
				<FoldRow item={item} actor={actor} folder={folder} />
			) : (
				<StoryRow row={item.row} actor={item.inFold ? '' : actor} inFold={item.inFold} folder={folder} />
			)}
			{note !== undefined && (
				<span
					title={visibleString(note)}
					className="ml-2 max-w-32 shrink-0 self-center truncate text-accent text-small"
				>
					<span aria-hidden>✎ </span>
					<span className="sr-only">{say('Note')}: </span>
					<AgentText>{note}</AgentText>
				</span>
			)}
		</button>
	);
});
