import { parseAsInteger, useQueryStates } from 'nuqs';
import { type KeyboardEvent, type RefCallback, useCallback, useEffect, useRef } from 'react';
import { panSpan, type Span, type TimeScale, zoomSpan } from '#lib/timeline/time-scale.ts';

const STEP = 1.25;
const KEY_STEP = 2;
const KEY_PAN = 0.25;

const parsers = { from: parseAsInteger, to: parseAsInteger };

export type Lens = ReturnType<typeof useZoom>;

/**
 * The visible part of `axis`: the range in the URL within `full`, else `view`. A range from 0 means the whole session, even
 * before its start is known.
 */
export function useZoom(axis: TimeScale, view: Span, full: Span) {
	const [{ from, to }, setParams] = useQueryStates(parsers, { history: 'replace', scroll: false, throttleMs: 300 });
	const isChosen = from !== null && to !== null && to > from;
	const span = isChosen ? { from: Math.max(from, full.from), to: Math.min(to, full.to) } : null;
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
	const showWhole = () => show({ from: 0, to: full.to });
	const zoom = useCallback(
		(factor: number, share = 0.5) => {
			const { axis: all, view: before } = latest.current;
			show(zoomSpan(before, factor, share, all));
		},
		[show],
	);
	const pan = useCallback((share: number) => show(panSpan(latest.current.view, share, latest.current.axis)), [show]);
	const wheelRef: RefCallback<HTMLElement> = useCallback(
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
	const nearer = () => zoom(1 / KEY_STEP);
	const byKey = new Map([
		['+', nearer],
		['=', nearer],
		['-', () => zoom(KEY_STEP)],
		['ArrowLeft', () => pan(-KEY_PAN)],
		['ArrowRight', () => pan(KEY_PAN)],
		['Home', () => show({ from: full.from, to: full.from + (current.to - current.from) })],
		['End', () => show(null)],
		['0', showWhole],
	]);
	function onKeyDown(event: KeyboardEvent) {
		const act = byKey.get(event.key);
		if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
		act();
		event.preventDefault();
		event.stopPropagation();
	}
	return { span, show, showWhole, zoom, onKeyDown, wheelRef };
}
