import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { headlineOf } from '../approvals/approval-line.tsx';
import { useWaiting, type WaitingApproval } from '../approvals/waiting.ts';
import { useSay } from '../language/use-say.ts';
import { useLive } from '../live/store.ts';
import { places } from '../ui/keys/shortcuts.ts';
import { messageWorker, wantsDesktop } from './notify/notice-worker.ts';

const icons = { calm: '/icon.svg', waiting: '/icon-attention.svg' } as const;

/** Marks the tab and tells a screen reader, in its own time, what new waits, and the desktop while the page is hidden. */
export function Attention() {
	const say = useSay();
	const open = useWaiting();
	const waiting = open.length;
	useDesktopNotices(open);
	const path = usePathname();
	const subject = useLive(({ session }) => {
		const { project, branch } = session?.view ?? {};
		return project ? [project, branch].filter(Boolean).join(' · ') : null;
	});
	const [notice, setNotice] = useState<{ key: string; words: string } | null>(null);
	const known = useRef<ReadonlySet<string>>(new Set());
	useEffect(() => {
		const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
		if (link) link.href = waiting > 0 ? icons.waiting : icons.calm;
	}, [waiting]);
	useEffect(() => {
		const ids = open.map(({ approval }) => approval.approvalId);
		const [first, ...more] = open.filter(({ approval }) => !known.current.has(approval.approvalId));
		known.current = new Set(ids);
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
		// By its attribute it is heard while a dialog hides everything else. With a key of its own the same words are said again.
		<div role="status" aria-live="polite" className="sr-only">
			{waiting > 0 && <p key={notice?.key}>{notice?.words}</p>}
		</div>
	);
}

/** What the tab calls a page that is about no session; null where there is none. */
function placeName(path: string): Plain | null {
	if (path.startsWith('/features/')) return 'Feature';
	if (path === '/access') return 'Access';
	if (path === '/rejudge') return 'Judge again';
	if (path === '/compare') return 'Compare two runs';
	if (path === '/search') return 'Search in all sessions';
	return places.find(({ href }) => href === path)?.label ?? (path.startsWith('/sessions/') ? 'Session' : null);
}

/** Sets the tab's title, again where a new page sets its own a little later. Gives back how to stop. */
function keepTitle(title: string): () => void {
	const set = () => {
		if (document.title !== title) document.title = title;
	};
	set();
	const observer = new MutationObserver(set);
	observer.observe(document.head, { childList: true, subtree: true, characterData: true });
	return () => observer.disconnect();
}

/** Notifies of each call that begins to wait while the page is hidden, and removes the notification when the call is over. */
function useDesktopNotices(waiting: readonly WaitingApproval[]): void {
	const say = useSay();
	const known = useRef(new Set<string>());
	const shown = useRef(new Set<string>());
	useEffect(() => {
		const open = new Set(waiting.map(({ approval }) => approval.approvalId));
		for (const id of shown.current) if (!open.has(id) && shown.current.delete(id)) void messageWorker({ close: id });
		const fresh = waiting.filter(({ approval }) => !known.current.has(approval.approvalId));
		known.current = open;
		if (!document.hidden || !wantsDesktop()) return;
		for (const { approval, session } of fresh) {
			const id = approval.approvalId;
			const location = locationWords(session.project, session.branch, session.sessionId, session.machine);
			const title = `Signalbox: ${visibleString(headlineOf(approval, say))}`.slice(0, 120);
			const path = `/approvals?card=${encodeURIComponent(id)}`;
			shown.current.add(id);
			void messageWorker({ show: { id, title, body: visibleString(location).slice(0, 200), path } });
		}
	}, [waiting, say]);
}
