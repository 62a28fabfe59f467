import { printable } from '../text/printable.ts';
import type { TaskBox } from './tasks-file.ts';

const SHOWN = 5;

/** How far the boxes of a feature are. */
export interface TaskProgress {
	done: number;
	total: number;
	/** The first five open boxes, cleaned for one line. */
	next: string[];
	/** How many open boxes are not in `next`. */
	more: number;
}

/** Counts boxes and names the first open ones. */
export function taskProgress(boxes: readonly TaskBox[]): TaskProgress {
	const open = boxes.filter((box) => !box.checked);
	return {
		done: boxes.length - open.length,
		total: boxes.length,
		next: open.slice(0, SHOWN).map((box) => printable(box.text)),
		more: Math.max(0, open.length - SHOWN),
	};
}

/** The message about a feature's open tasks; null when it has no boxes or all are ticked. */
export function pendingMessage(feature: string, { done, total, next, more }: TaskProgress): string | null {
	if (next.length === 0) return null;
	return [
		`Feature ${feature}: ${done} of ${total} tasks are done. Still open:`,
		...next.map((text) => `- [ ] ${text}`),
		...(more > 0 ? [`... and ${more} more`] : []),
	].join('\n');
}
