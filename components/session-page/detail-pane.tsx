import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { useWaiting } from '../approvals/waiting.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useSessionParams } from '../row/search-params.ts';
import { SessionFacts } from '../session/session-facts.tsx';
import { Button } from '../ui/button.tsx';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { useNarrow } from '../ui/use-size.ts';
import { RowDetail } from './row-detail.tsx';

const Dialog = dynamic(() => import('../ui/dialog/dialog.tsx').then((module) => module.Dialog));

/** The selected row beside the story, or as a sheet where there is no room. */
export function DetailPane({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [{ row }, setParams] = useSessionParams();
	const narrow = useNarrow();

	function close() {
		if (row === null) return;
		void setParams({ row: null });
		document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`)?.focus();
	}
	useShortcut('close', close, row !== null && !narrow);

	if (narrow) {
		if (row === null) return null;
		return (
			<Dialog title={say('Detail')} side="bottom" open onOpenChange={(open) => !open && close()}>
				<RowDetail sessionId={sessionId} rowKey={row} />
			</Dialog>
		);
	}
	return (
		<section
			aria-label={say('Detail')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
			tabIndex={0}
			className="relative w-[26rem] shrink-0 overflow-y-auto border-line border-l xl:w-[30rem]"
		>
			{row !== null && (
				<Button kind="quiet" size="small" className="absolute top-3 right-3" onClick={close}>
					{say('Close')}
				</Button>
			)}
			{row !== null ? <RowDetail sessionId={sessionId} rowKey={row} /> : <NoRow sessionId={sessionId} />}
		</section>
	);
}

const ApprovalCard = dynamic(() => import('../approvals/approval-card.tsx').then((module) => module.ApprovalCard));

const NO_APPROVALS: readonly ApprovalView[] = [];

/** What the detail pane tells before a row is chosen: what waits for the reader, then what the session is. */
function NoRow({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const asked = useAsked(sessionId);
	const cards = isLive ? asked : [];
	return (
		<div className="flex flex-col gap-3 p-4">
			{cards.map((approval) => (
				<ApprovalCard key={approval.approvalId} sessionId={sessionId} approval={approval} />
			))}
			<SessionFacts sessionId={sessionId} />
			{cards.length === 0 && (
				<p className="text-muted">{say('Select a row to see its input, verdicts and outcome.')}</p>
			)}
		</div>
	);
}

/** What this session asks; a decided question stays while the reader does, so that its result is seen. */
function useAsked(sessionId: string): ApprovalView[] {
	const approvals = useSession(sessionId, ({ view }) => view?.approvals) ?? NO_APPROVALS;
	const [seen, setSeen] = useState<readonly string[]>([]);
	const waiting = useWaiting(true)
		.filter(({ session }) => session.sessionId === sessionId)
		.map(({ approval }) => approval.approvalId);
	const ids = waiting.join(' ');
	useEffect(() => {
		if (ids !== '') setSeen((before) => [...new Set([...before, ...ids.split(' ')])]);
	}, [ids]);
	return approvals.filter(({ approvalId }) => waiting.includes(approvalId) || seen.includes(approvalId));
}
