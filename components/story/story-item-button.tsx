import { memo } from 'react';
import type { StoryItem } from '#lib/timeline/story-items.ts';
import { cn } from '../ui/cn.ts';
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
	onChoose: (item: StoryItem) => void;
}

/** One line of the story, to be chosen or opened. Kept while it stands: a busy session draws its story forty times a second. */
export const StoryItemButton = memo(function StoryItemButton(props: StoryItemButtonProps) {
	const { item, actor, folder, isSelected, isTabStop, onChoose } = props;
	return (
		<button
			type="button"
			data-row={item.key}
			tabIndex={isTabStop ? 0 : -1}
			aria-expanded={item.kind === 'fold' ? item.open : undefined}
			aria-current={isSelected || undefined}
			onClick={() => onChoose(item)}
			className={cn('flex size-full px-4 text-left hover:bg-hover', isSelected && 'bg-selected hover:bg-selected')}
		>
			{item.kind === 'fold' ? (
				<FoldRow item={item} actor={actor} folder={folder} />
			) : (
				<StoryRow row={item.row} actor={item.inFold ? '' : actor} inFold={item.inFold} folder={folder} />
			)}
		</button>
	);
});
