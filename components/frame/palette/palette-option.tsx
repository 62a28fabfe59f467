import type { Route } from 'next';
import Link from 'next/link';
import { cn } from '../../ui/cn.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import type { PaletteItem } from './palette-items.ts';
import { addressPart } from '#lib/text/printable.ts';

interface PaletteOptionProps {
	listId: string;
	item: PaletteItem;
	isActive: boolean;
	onChoose: (item: PaletteItem) => void;
}

/** The id of an option's element; agents name sessions and rows, and an element's id has no blanks. */
export const optionId = (listId: string, id: string) => `${listId}-${addressPart(id)}`;

/** How an option of the palette looks; the active one is where Enter goes. */
export const optionLook = (isActive: boolean) =>
	cn(
		'flex min-h-8 w-full items-center gap-2 rounded px-2 text-left hover:bg-hover pointer-coarse:min-h-11',
		isActive && 'bg-selected',
	);

/** A page, session, feature or action. The focus stays in the field, so the option itself takes none. */
export function PaletteOption({ listId, item, isActive, onChoose }: PaletteOptionProps) {
	const { id, label, hint, keys = [], href } = item;
	const option = {
		id: optionId(listId, id),
		'data-id': id,
		role: 'option',
		'aria-selected': isActive,
		tabIndex: -1,
		className: optionLook(isActive),
		onClick: () => onChoose(item),
	};
	const words = (
		<>
			<AgentText className="min-w-0 truncate">{label}</AgentText>
			{hint && <AgentText className="min-w-0 flex-1 truncate text-muted">{hint}</AgentText>}
			<span aria-hidden className="ml-auto flex gap-1">
				{keys.map((key) => (
					<Kbd key={key}>{key}</Kbd>
				))}
			</span>
		</>
	);
	if (href === null)
		return (
			<button type="button" {...option}>
				{words}
			</button>
		);
	return (
		<Link href={href as Route} prefetch={false} {...option}>
			{words}
		</Link>
	);
}
