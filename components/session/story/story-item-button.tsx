import { type MouseEvent, memo } from 'react';
import { visibleString } from '#lib/text/visible-text.ts';
import { isOpenable, rowOfItem, type StoryItem } from '#lib/timeline/story.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { StoryLine } from './story-line.tsx';

interface StoryItemButtonProps {
	item: StoryItem;
	/** Who did it, where the lines around do not say. */
	actor: string;
	/** What its models took, in words. */
	cost: string | undefined;
	/** The session's folder, left out of paths. */
	folder: string | null;
	isSelected: boolean;
	/** The only one of the list that the tab key stops at. */
	isTabStop: boolean;
	/** What reviewers noted about it, in a line. */
	note?: string | undefined;
	/** Hears of a choice, and whether it is that of a stretch up to here. */
	onChoose: (item: StoryItem, isUpTo: boolean) => void;
	/** Opens or closes it. */
	onToggle: (key: string) => void;
}

/** One line of the story, to be chosen or opened. Kept while it stands: a busy session draws its story forty times a second. */
export const StoryItemButton = memo(function StoryItemButton(props: StoryItemButtonProps) {
	const { item, actor, cost, folder, isSelected, isTabStop, note, onChoose, onToggle } = props;
	const say = useSay();
	function onClick(event: MouseEvent) {
		const isToggle = event.target instanceof Element && event.target.closest('[data-toggle]') !== null;
		if (item.kind === 'fold' || isToggle) onToggle(item.key);
		else onChoose(item, event.shiftKey);
	}
	return (
		<button
			type="button"
			data-row={item.kind === 'fold' ? item.key : (rowOfItem(item)?.key ?? item.key)}
			data-item={item.key}
			tabIndex={isTabStop ? 0 : -1}
			aria-expanded={isOpenable(item) ? item.open : undefined}
			aria-current={isSelected || undefined}
			onClick={onClick}
			className={cn(
				'flex w-full shrink-0 px-4 text-left hover:bg-hover',
				isSelected && 'bg-selected hover:bg-selected',
			)}
		>
			<StoryLine item={item} actor={actor} cost={cost} folder={folder} />
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
