'use client';
import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { visibleString } from '#lib/text/visible-text.ts';
import { useWaiting } from '../approvals/use-waiting.ts';
import { useLive } from '../live/store.ts';
import { useDesktopNotices } from '../notify/use-desktop-notices.ts';

const icons = { calm: '/icon.svg', waiting: '/icon-attention.svg' } as const;

/** Marks the tab and tells a screen reader at once when approvals wait, and the desktop while the page is hidden. */
export function Attention() {
	const open = useWaiting();
	const waiting = open.length;
	const newest = open.at(-1)?.approval.title;
	useDesktopNotices(open);
	const path = usePathname();
	const subject = useLive(({ session }) => {
		const { project, branch } = session?.view ?? {};
		return project ? [project, branch].filter(Boolean).join(' · ') : null;
	});
	const [said, setSaid] = useState('');
	const before = useRef(0);
	useEffect(() => {
		const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
		if (link) link.href = waiting > 0 ? icons.waiting : icons.calm;
		if (waiting > before.current) setSaid(visibleString(`${newest ?? 'A call'} needs your approval`));
		before.current = waiting;
	}, [waiting, newest]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new page sets its own title first.
	useEffect(() => {
		const title = subject ? `${visibleString(subject)} – Signalbox` : 'Signalbox';
		document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
	}, [waiting, subject, path]);
	return (
		<div role="alert" className="sr-only">
			{waiting > 0 ? said : ''}
		</div>
	);
}
