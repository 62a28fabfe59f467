import type { Page } from '@playwright/test';

declare global {
	interface Window {
		/** When each mark was first on screen, in ms since the epoch. */
		paintedMarks?: [mark: number, at: number][];
	}
}

/** Starts to note, inside the page, when text that holds a mark (`bench-mark-7-`) was painted for the first time. */
export async function watchMarks(page: Page): Promise<void> {
	await page.evaluate(() => {
		const painted: [number, number][] = [];
		const seen = new Set<number>();
		window.paintedMarks = painted;
		const afterPaint = (marks: number[]) => {
			const channel = new MessageChannel();
			channel.port1.onmessage = () => {
				const now = performance.timeOrigin + performance.now();
				for (const mark of marks) painted.push([mark, now]);
			};
			// A frame's callbacks run before it is painted, a task that they post runs after.
			requestAnimationFrame(() => channel.port2.postMessage(null));
		};
		const textsOf = ({ type, target, addedNodes }: MutationRecord) =>
			type === 'characterData' ? [target.textContent] : [...addedNodes].map((node) => node.textContent);
		new MutationObserver((records) => {
			const texts = records.flatMap(textsOf).join('\n');
			const marks = [...texts.matchAll(/bench-mark-(\d+)-/g)].map((found) => Number(found[1]));
			const fresh = [...new Set(marks)].filter((mark) => !seen.has(mark));
			for (const mark of fresh) seen.add(mark);
			if (fresh.length > 0) afterPaint(fresh);
		}).observe(document.body, { subtree: true, childList: true, characterData: true });
	});
}

/** What was noted so far. */
export const paintedMarks = (page: Page): Promise<[mark: number, at: number][]> =>
	page.evaluate(() => window.paintedMarks ?? []);
