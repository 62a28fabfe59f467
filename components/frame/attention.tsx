import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { Plain, Say } from '#lib/messages/say.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { headlineOf } from '../approvals/approval-line.tsx';
import { cardAddress, useWaiting, type WaitingApproval } from '../approvals/waiting.ts';
import { useSay } from '../language/use-say.ts';
import { useLive } from '../live/store.ts';
import { places } from '../ui/keys/shortcuts.ts';
import { messageWorker, type Notice, wantsDesktop } from './notify/notice-worker.ts';

const icons = { calm: '/icon.svg', waiting: '/icon-attention.svg' } as const;

/** Announces new approvals: in the tab's title, to screen readers, and on the desktop while the page is hidden. */
export function Attention() {
	const say = useSay();
	const open = useWaiting();
	const waiting = open.length;
	const path = usePathname();
	const subject = useLive(({ session }) => {
		const { project, branch } = session?.view ?? {};
		return project ? [project, branch].filter(Boolean).join(' · ') : null;
	});
	const [notice, setNotice] = useState<{ key: string; words: string } | null>(null);
	const known = useRef<ReadonlySet<string>>(new Set());
	const onDesktop = useRef(new Set<string>());
	useEffect(() => {
		const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
		if (link) link.href = waiting > 0 ? icons.waiting : icons.calm;
	}, [waiting]);
	useEffect(() => {
		const fresh = open.filter(({ approval }) => !known.current.has(approval.approvalId));
		const ids = new Set(open.map(({ approval }) => approval.approvalId));
		known.current = ids;
		for (const id of onDesktop.current)
			if (!ids.has(id) && onDesktop.current.delete(id)) void messageWorker({ close: id });
		if (document.hidden && wantsDesktop()) {
			for (const each of fresh) {
				onDesktop.current.add(each.approval.approvalId);
				void messageWorker({ show: noticeOf(each, say) });
			}
		}
		const [first, ...more] = fresh;
		if (!first) return;
		const { approvalId, title } = first.approval;
		const words =
			more.length > 0
				? say('{count} calls need your approval', { count: more.length + 1 })
				: say('{call} needs your approval', { call: title || say('A call') });
		setNotice({ key: approvalId, words: visibleString(words) });
	}, [open, say]);
	useEffect(() => {
		const page = placeName(path);
		const title = [subject === null ? page && say(page) : visibleString(subject), 'Signalbox']
			.filter(Boolean)
			.join(' – ');
		return keepTitle(waiting > 0 ? `(${waiting}) ${title}` : title);
	}, [waiting, subject, path, say]);
	return (
		// aria-live keeps it audible while a dialog hides the rest. A new key announces the same text again.
		<div role="status" aria-live="polite" className="sr-only">
			{waiting > 0 && <p key={notice?.key}>{notice?.words}</p>}
		</div>
	);
}

/** Tab title of a page that is not about a session; null if it has none. */
function placeName(path: string): Plain | null {
	if (path.startsWith('/features/')) return 'Feature';
	if (path === '/access') return 'Access';
	if (path === '/rejudge') return 'Judge again';
	if (path === '/compare') return 'Compare two runs';
	if (path === '/search') return 'Search in all sessions';
	return places.find(({ href }) => href === path)?.label ?? (path.startsWith('/sessions/') ? 'Session' : null);
}

/** Sets the tab title, and sets it again when a new page overwrites it. Returns a function that stops it. */
function keepTitle(title: string): () => void {
	const set = () => {
		if (document.title !== title) document.title = title;
	};
	set();
	const observer = new MutationObserver(set);
	observer.observe(document.head, { childList: true, subtree: true, characterData: true });
	return () => observer.disconnect();
}

/** Desktop notification of a call that starts to wait while the page is hidden. Removed when the call is over. */
function noticeOf({ approval, session }: WaitingApproval, say: Say): Notice {
	const { approvalId: id } = approval;
	const location = locationWords(session.project, session.branch, session.sessionId, session.machine);
	const title = `Signalbox: ${visibleString(headlineOf(approval, say))}`.slice(0, 120);
	return { id, title, body: visibleString(location).slice(0, 200), path: cardAddress(id) };
}
