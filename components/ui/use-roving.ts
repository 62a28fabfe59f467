import { type RefCallback, useCallback, useRef, useState } from 'react';
import { useShortcut } from './keys/use-shortcut.ts';

/** Attributes that make an element a row of the list. */
export interface RowProps {
	'data-row': string;
	tabIndex: 0 | -1;
}

/** One tab stop for a list of rows; J, K and the arrows move between them. Calls `onMove` with the key of the new row. */
export function useRoving(onMove?: (key: string) => void) {
	const list = useRef<HTMLElement>(null);
	const [active, setActive] = useState<string | null>(null);

	const listRef: RefCallback<HTMLElement> = useCallback((element: HTMLElement) => {
		const onFocus = ({ target }: FocusEvent) => {
			const key = target instanceof HTMLElement ? target.dataset.row : undefined;
			if (key !== undefined) setActive(key);
		};
		list.current = element;
		element.addEventListener('focusin', onFocus);
		return () => {
			list.current = null;
			element.removeEventListener('focusin', onFocus);
		};
	}, []);

	function move(by: 1 | -1) {
		const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
		const at = rows.findIndex((row) => row.contains(document.activeElement));
		const target = at === -1 ? (rows.find((row) => row.dataset.row === active) ?? rows.find(isInView)) : rows[at + by];
		target?.focus();
		if (target?.dataset.row !== undefined) onMove?.(target.dataset.row);
	}

	useShortcut('next', () => move(1));
	useShortcut('previous', () => move(-1));
	return {
		active,
		listRef,
		rowProps: (key: string, isFirst: boolean): RowProps => ({
			'data-row': key,
			tabIndex: (active === null ? isFirst : active === key) ? 0 : -1,
		}),
	};
}

/** Virtual lists also render rows outside the visible area. */
function isInView(row: HTMLElement): boolean {
	const { top, left } = row.getBoundingClientRect();
	return row.contains(document.elementFromPoint(left + 8, top + 8));
}
