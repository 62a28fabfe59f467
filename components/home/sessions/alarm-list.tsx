'use client';
import { useState } from 'react';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { AlarmView } from '#lib/contract/sessions/read-model/session-view.ts';
import { alarmWords } from '#lib/session/alarms.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useMayAct } from '../../live/use-may-act.ts';
import { rowAddress } from '../../row/row-address.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { DO_CELL, NEED_GRID, NeedLead, WHY_CELL } from './row-cells.tsx';
import { SessionSection } from './session-section.tsx';

/** What runs must stay in sight below many alarms. */
const AT_FIRST = 8;
const SNOOZE_MINUTES = 60;
const ROUTE = 'POST /api/sessions/:id/alarms';

/** A session and what is wrong with it. */
export interface AlarmedSession {
	session: SessionSummary;
	alarms: readonly AlarmView[];
}

interface AlarmListProps {
	/** Those that are known, the newest first. */
	alarmed: readonly AlarmedSession[];
	/** How many sessions have any. */
	count: number;
	/** The others are to be fetched. */
	onAll: () => void;
}

/** What went wrong beyond a session's status, one line an alarm; the first ones, and the others on demand. */
export function AlarmList({ alarmed, count, onAll }: AlarmListProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const lines = alarmed.flatMap(({ session, alarms }) => alarms.map((alarm) => ({ session, alarm })));
	const unknown = Math.max(0, count - alarmed.length);
	const all = lines.length + unknown;
	if (all === 0) return null;
	return (
		<SessionSection title={say('Alarms')} {...(all > AT_FIRST && { count: all })}>
			{(isOpen ? lines : lines.slice(0, AT_FIRST)).map(({ session, alarm }) => (
				<AlarmLine key={`${session.sessionId} ${alarm.key}`} session={session} alarm={alarm} />
			))}
			{!isOpen && all > AT_FIRST && (
				<li className="px-4 py-1">
					<Button
						kind="quiet"
						size="small"
						onClick={() => {
							setOpen(true);
							if (unknown > 0) onAll();
						}}
					>
						{say('Show all {all} alarms', { all })}
					</Button>
				</li>
			)}
		</SessionSection>
	);
}

function AlarmLine({ session, alarm }: { session: SessionSummary; alarm: AlarmView }) {
	const say = useSay();
	const { sessionId } = session;
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	async function act(wish: Omit<RequestOf<typeof ROUTE>['body'], 'alarm'>): Promise<void> {
		setBusy(true);
		setRefusal(null);
		const answer = await callRoute(ROUTE, { params: { id: sessionId }, body: { alarm: alarm.key, ...wish } });
		setBusy(false);
		if (!answer.ok) setRefusal(answer.message);
	}
	const mayDecide = useMayAct();
	return (
		<li className={NEED_GRID}>
			<NeedLead
				glyph="▲"
				tone="text-err"
				time={<LiveDuration from={alarm.at} />}
				session={session}
				href={rowAddress(sessionId, alarm.kind === 'silent' ? undefined : alarm.key)}
			/>
			<span className={cn(WHY_CELL, 'col-span-1 truncate')}>
				<span className="text-err">{say(alarmWords[alarm.kind])}</span>{' '}
				<AgentText className="text-muted">{say.told(alarm.cause)}</AgentText>
			</span>
			{mayDecide && (
				<span
					className={cn(DO_CELL, 'col-span-1 col-start-3 row-span-2 row-start-2 flex gap-1 @min-[640px]:row-span-1')}
				>
					<Button kind="quiet" size="small" disabled={isBusy} onClick={() => void act({ action: 'acknowledge' })}>
						{say('Acknowledge')}
					</Button>
					<Button
						kind="quiet"
						size="small"
						disabled={isBusy}
						onClick={() => void act({ action: 'snooze', minutes: SNOOZE_MINUTES })}
					>
						<Phrase
							of="Later{more}"
							with={{ more: <span className="sr-only">{say(': tell me again in an hour')}</span> }}
						/>
					</Button>
				</span>
			)}
			{refusal && (
				<p role="alert" className="col-span-full text-warn">
					<AgentText>{say.known(refusal)}</AgentText>
				</p>
			)}
		</li>
	);
}
