'use client';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { RECEIPT_MS } from './linger.ts';

/** Keeps a card as high as it was for as long as its receipt stands, so that what is below does not move. Gives its ref. */
export function useKeptHeight(isOpen: boolean): (element: HTMLElement | null) => void {
	const card = useRef<HTMLElement>(null);
	const height = useRef(0);
	useLayoutEffect(() => {
		if (isOpen && card.current) height.current = card.current.offsetHeight;
	});
	useLayoutEffect(() => {
		const { current: element } = card;
		if (isOpen || !element || height.current === 0) return;
		element.style.minHeight = `${height.current}px`;
		const release = () => element.style.removeProperty('min-height');
		const timer = setTimeout(release, RECEIPT_MS);
		return () => {
			clearTimeout(timer);
			release();
		};
	}, [isOpen]);
	return useCallback((element) => {
		card.current = element;
	}, []);
}
