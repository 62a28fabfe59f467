import { useEffect, useRef } from 'react';
import { placeOf } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { headlineOf } from '../../approvals/headline.ts';
import type { WaitingApproval } from '../../approvals/waiting.ts';
import { useSay } from '../../language/use-say.ts';
import { wantsDesktop } from './desktop-wish.ts';
import { tellWorker } from './notice-worker.ts';

/** Tells of each call that begins to wait while the page is hidden, and takes that away when the call is over. */
export function useDesktopNotices(waiting: readonly WaitingApproval[]): void {
	const say = useSay();
	const known = useRef(new Set<string>());
	const shown = useRef(new Set<string>());
	useEffect(() => {
		const open = new Set(waiting.map(({ approval }) => approval.approvalId));
		for (const id of shown.current) if (!open.has(id) && shown.current.delete(id)) void tellWorker({ close: id });
		const fresh = waiting.filter(({ approval }) => !known.current.has(approval.approvalId));
		known.current = open;
		if (!document.hidden || !wantsDesktop()) return;
		for (const { approval, session } of fresh) {
			const id = approval.approvalId;
			const place = placeOf(session.project, session.branch, session.sessionId, session.machine);
			const title = `Signalbox: ${visibleString(headlineOf(approval, say))}`.slice(0, 120);
			const path = `/approvals?card=${encodeURIComponent(id)}`;
			shown.current.add(id);
			void tellWorker({ show: { id, title, body: visibleString(place).slice(0, 200), path } });
		}
	}, [waiting, say]);
}
