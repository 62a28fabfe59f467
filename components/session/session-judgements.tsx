'use client';
import { useMemo } from 'react';
import type { Judgement } from '#lib/contract/sessions/read-model/session-summary.ts';
import { judgementsOf } from '#lib/session/judgement.ts';
import { useClock } from '../live/now.ts';
import { useSession } from '../live/session-source.ts';
import { JudgementLine } from '../row/judgement/judgement-line.tsx';

/** An alarm that was put off comes back within so long. */
const STEP_MS = 15_000;

/** Stages are told by their strip, sums by the numbers. */
const TOLD: ReadonlySet<Judgement['by']> = new Set(['stage', 'gate', 'person', 'tool']);

/** What judges say of the session beyond what the header tells anyway. Most events change nothing of it: it is compared as text. */
export function SessionJudgements({ sessionId }: { sessionId: string }) {
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const told =
		useSession(sessionId, ({ view }) =>
			view ? JSON.stringify(judgementsOf(view, now).filter(({ by }) => !TOLD.has(by))) : '[]',
		) ?? '[]';
	const judgements = useMemo(() => JSON.parse(told) as Judgement[], [told]);
	return judgements.length === 0 ? null : (
		<JudgementLine judgements={judgements} className="max-w-[35%] shrink-0 justify-end max-md:hidden" />
	);
}
