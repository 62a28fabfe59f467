import { restartAt } from '../approvals/still/use-stillness.ts';

/** Excludes buttons: pressing a key twice must not trigger a different button the second time. */
const FOCUSABLE = 'a[href], input, select, textarea, summary, [tabindex]:not(button)';

/** The focused element and its ancestors, nearest first. */
type Path = readonly HTMLElement[];

const pathTo = (element: Element): Path => {
	const path: HTMLElement[] = [];
	for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
		if (at instanceof HTMLElement) path.push(at);
	}
	return path;
};

/** Virtual lists remove rows while scrolling and restore the focus themselves. */
const isDrawnInPart = (element: HTMLElement) => element.hasAttribute('aria-posinset');

/** What to focus once the focused element was removed: its nearest remaining ancestor, or the first focusable element in it. */
function nextFocus(path: Path): HTMLElement | null {
	for (const element of path) {
		if (!element.isConnected) continue;
		if (element.matches(FOCUSABLE)) return element;
		const inside = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find((each) => each.checkVisibility());
		if (inside) return inside;
	}
	return null;
}

/**
 * Restores the focus when an action removes the focused element: browsers would start again at the top. Returns what stops it.
 */
export function keepFocus(): () => void {
	let path: Path = [];
	/** Last focus path outside dialogs, for a dialog whose opener is gone when it closes. */
	let below: Path = [];
	const observer = new MutationObserver(() => {
		if (path[0]?.isConnected !== false || path.some(isDrawnInPart)) return;
		// Wait two frames: a closing dialog restores the focus itself, slightly later.
		requestAnimationFrame(() => requestAnimationFrame(restore));
	});
	function restore(): void {
		const { activeElement } = document;
		if (path[0]?.isConnected !== false || (activeElement && activeElement !== document.body)) return;
		const fallback = nextFocus(path) ?? nextFocus(below) ?? document.querySelector<HTMLElement>('main');
		if (!fallback) return;
		fallback.focus({ preventScroll: fallback.localName === 'main' });
		restartAt(fallback);
	}
	function onFocus({ target }: FocusEvent): void {
		if (!(target instanceof Element)) return;
		path = pathTo(target);
		if (!target.closest('[role=dialog]')) below = path;
		observer.disconnect();
		for (const element of path) if (element.parentNode) observer.observe(element.parentNode, { childList: true });
	}
	/** A click outside of everything removes the focus on purpose. */
	function onPointer(): void {
		path = [];
	}
	document.addEventListener('focusin', onFocus);
	document.addEventListener('pointerdown', onPointer, true);
	return () => {
		observer.disconnect();
		document.removeEventListener('focusin', onFocus);
		document.removeEventListener('pointerdown', onPointer, true);
	};
}
