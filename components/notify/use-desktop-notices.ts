import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { visibleString } from '#lib/text/visible-text.ts';
import { headlineOf } from '../approvals/headline.ts';
import type { WaitingApproval } from '../approvals/waiting.ts';
import { placeOf } from '../sessions/session-row.tsx';
import { wantsDesktop } from './desktop-wish.ts';

/** Tells of each call that begins to wait while the page is hidden; a click brings its card to the front. */
export function useDesktopNotices(waiting: readonly WaitingApproval[]): void {
	const router = useRouter();
	const known = useRef(new Set<string>());
	const shown = useRef(new Map<string, Notification>());
	useEffect(() => {
		const open = new Set(waiting.map(({ approval }) => approval.approvalId));
		for (const [id, notice] of shown.current) if (!open.has(id) && shown.current.delete(id)) notice.close();
		const fresh = waiting.filter(({ approval }) => !known.current.has(approval.approvalId));
		known.current = open;
		if (!document.hidden || !wantsDesktop()) return;
		for (const { approval, session } of fresh) {
			const id = approval.approvalId;
			const place = placeOf(session.project, session.branch, session.sessionId);
			const title = `Signalbox: ${visibleString(headlineOf(approval))}`.slice(0, 120);
			const notice = new Notification(title, { body: visibleString(place).slice(0, 200), tag: id, icon: '/icon.svg' });
			notice.onclick = () => {
				window.focus();
				router.push(`/approvals?card=${encodeURIComponent(id)}`);
				notice.close();
			};
			shown.current.set(id, notice);
		}
	}, [waiting, router]);
}
