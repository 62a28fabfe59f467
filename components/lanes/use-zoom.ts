import { parseAsInteger, useQueryStates } from 'nuqs';
import { type KeyboardEvent, type RefCallback, useCallback, useEffect, useRef } from 'react';
import { panSpan, type Span, type TimeScale, zoomSpan } from '#lib/timeline/time-scale.ts';

const STEP = 1.25;
const KEY_STEP = 2;
const KEY_PAN = 0.25;

const parsers = { from: parseAsInteger, to: parseAsInteger };

interface Zoom {
	/** What is in view; null follows the newest. */
	span: Span | null;
	show: (span: Span | null) => void;
	zoom: (factor: number, share?: number) => void;
	onKeyDown: (event: KeyboardEvent) => void;
	/** Takes the wheel of an element: with Ctrl or Cmd it zooms, sideways or with Shift it pans. */
	wheelRef: RefCallback<HTMLElement>;
}

/** What of `axis` is in view: `view`, until the reader zooms or pans; then as the address says. */
export function useZoom(axis: TimeScale, view: Span): Zoom {
	const [{ from, to }, setParams] = useQueryStates(parsers, { history: 'replace', scroll: false, throttleMs: 300 });
	const span = from !== null && to !== null && to > from ? { from, to } : null;
	const current = span ?? view;
	const latest = useRef({ axis, view: current });
	useEffect(() => {
		latest.current = { axis, view: current };
	});
	const show = useCallback(
		(next: Span | null) =>
			void setParams({
				from: next && Math.floor(next.from),
				to: next && Math.max(Math.ceil(next.to), Math.floor(next.from) + 1),
			}),
		[setParams],
	);
	const zoom = useCallback(
		(factor: number, share = 0.5) => {
			const { axis: whole, view: before } = latest.current;
			show(zoomSpan(before, factor, share, whole));
		},
		[show],
	);
	const pan = useCallback((share: number) => show(panSpan(latest.current.view, share, latest.current.axis)), [show]);
	const wheelRef = useCallback(
		(element: HTMLElement) => {
			const onWheel = (event: WheelEvent) => {
				const { left, width } = element.getBoundingClientRect();
				const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
				if (event.ctrlKey || event.metaKey)
					zoom(STEP ** Math.sign(event.deltaY), (event.clientX - left) / Math.max(1, width));
				else if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) pan(sideways / Math.max(1, width));
				else return;
				event.preventDefault();
			};
			element.addEventListener('wheel', onWheel, { passive: false });
			return () => element.removeEventListener('wheel', onWheel);
		},
		[zoom, pan],
	);
	function onKeyDown(event: KeyboardEvent) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const whole = { from: axis.toTime(0), to: axis.toTime(axis.width) };
		switch (event.key) {
			case '+':
			case '=':
				zoom(1 / KEY_STEP);
				break;
			case '-':
				zoom(KEY_STEP);
				break;
			case 'ArrowLeft':
				pan(-KEY_PAN);
				break;
			case 'ArrowRight':
				pan(KEY_PAN);
				break;
			case 'Home':
				show({ from: whole.from, to: whole.from + (current.to - current.from) });
				break;
			case 'End':
				show(null);
				break;
			case '0':
				show(whole);
				break;
			default:
				return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
	return { span, show, zoom, onKeyDown, wheelRef };
}
