import { unsettleAt } from '../approvals/settled/watch-page.ts';

/** No button: whoever presses a key twice must not decide something else with the second one. */
const FOCUSABLE = 'a[href], input, select, textarea, summary, [tabindex]:not(button)';

/** A focused thing with everything around it, the nearest first. */
type Path = readonly HTMLElement[];

const pathTo = (element: Element): Path => {
	const path: HTMLElement[] = [];
	for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
		if (at instanceof HTMLElement) path.push(at);
	}
	return path;
};

/** A long list takes its lines away as it is scrolled, and knows itself which of them had the focus. */
const isDrawnInPart = (element: HTMLElement) => element.hasAttribute('aria-posinset');

/**
 * Where the focus goes when what had it is gone: to the nearest thing around it that still stands, or the first one in
 * that which takes it.
 */
function heirOf(path: Path): HTMLElement | null {
	for (const element of path) {
		if (!element.isConnected) continue;
		if (element.matches(FOCUSABLE)) return element;
		const inside = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find((each) => each.checkVisibility());
		if (inside) return inside;
	}
	return null;
}

/**
 * Keeps the keyboard's place: when an action takes away what has the focus, a browser forgets where the person was, and
 * a screen reader begins anew. Watches only the focused thing and what is around it. Gives back how to stop.
 */
export function keepFocus(): () => void {
	let path: Path = [];
	/** The last one outside of dialogs: where a dialog goes back to may be gone, too. */
	let below: Path = [];
	const observer = new MutationObserver(() => {
		if (path[0]?.isConnected !== false || path.some(isDrawnInPart)) return;
		// A dialog that closes gives the focus back by itself, a little later.
		requestAnimationFrame(() => requestAnimationFrame(restore));
	});
	function restore(): void {
		const { activeElement } = document;
		if (path[0]?.isConnected !== false || (activeElement && activeElement !== document.body)) return;
		const heir = heirOf(path) ?? heirOf(below) ?? document.querySelector<HTMLElement>('main');
		if (!heir) return;
		heir.focus({ preventScroll: heir.localName === 'main' });
		unsettleAt(heir);
	}
	function onFocus({ target }: FocusEvent): void {
		if (!(target instanceof Element)) return;
		path = pathTo(target);
		if (!target.closest('[role=dialog]')) below = path;
		observer.disconnect();
		for (const element of path) if (element.parentNode) observer.observe(element.parentNode, { childList: true });
	}
	/** Who clicks beside everything wants no focus anywhere. */
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
