'use client';
import { useEffect, useRef, useState } from 'react';

const icons = { calm: '/icon.svg', alarmed: '/icon-attention.svg' } as const;

/** Marks the tab and tells a screen reader at once when approvals wait. */
export function Attention({ waiting, newest }: { waiting: number; newest: string | undefined }) {
	const [said, setSaid] = useState('');
	const before = useRef(0);
	useEffect(() => {
		const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
		if (link) link.href = waiting > 0 ? icons.alarmed : icons.calm;
		document.title = waiting > 0 ? `(${waiting}) Signalbox` : 'Signalbox';
		if (waiting > before.current) setSaid(`${newest ?? 'A call'} needs your approval`);
		before.current = waiting;
	}, [waiting, newest]);
	return (
		<div role="alert" className="sr-only">
			{waiting > 0 ? said : ''}
		</div>
	);
}
