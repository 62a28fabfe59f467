import type { ReactNode } from 'react';
import type { Doing, Judgement } from '#lib/contract/sessions/read-model/session-summary.ts';
import { judgementAt } from '#lib/session/judgement.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { useClock } from '../live/now.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.tsx';
import { useSessionParams } from './search-params.ts';

/** `developer · Edit src/total.ts · 0:07`: actor, activity and duration. Only the activity is truncated. */
export function DoingLine({ doing }: { doing: Doing | undefined }) {
	const say = useSay();
	if (!doing) return null;
	const { agent, since } = doing;
	const text = say.field(doing, 'text');
	return (
		<span className="flex min-w-0 items-baseline gap-1.5 text-muted" title={visibleString(text)}>
			{agent !== undefined && (
				<>
					<AgentText className="max-w-1/2 shrink-0 truncate text-text">{agent}</AgentText>
					<span aria-hidden>·</span>
				</>
			)}
			<AgentText className="min-w-0 truncate font-mono text-mono">{text}</AgentText>
			{since !== undefined && (
				<>
					<span aria-hidden>·</span>
					<LiveDuration className="shrink-0 tabular-nums" from={since} />
				</>
			)}
		</span>
	);
}

/** Judgements of a session in one line, most important first: as many as fit, at least the first. */
export function JudgementLine({ judgements, className }: { judgements: readonly Judgement[]; className?: string }) {
	const say = useSay();
	return (
		<ul aria-label={say('Judgement')} className={cn('flex h-5 min-w-0 flex-wrap gap-x-3 overflow-hidden', className)}>
			{judgements.map((judgement, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a judgement is identified by its position.
				<JudgementWord key={index} judgement={judgement} />
			))}
		</ul>
	);
}

function JudgementWord({ judgement }: { judgement: Judgement }) {
	const isOverdue = useClock((now) => judgementAt(judgement, now) !== judgement);
	const shown = isOverdue ? judgementAt(judgement, Number.POSITIVE_INFINITY) : judgement;
	const { tone, since } = shown;
	const say = useSay();
	const text = say.field(shown, 'text');
	return (
		<li className={cn('flex h-5 min-w-0 max-w-full items-center gap-1', toneText[tone])} title={visibleString(text)}>
			<span aria-hidden>{toneGlyph[tone]}</span>
			<AgentText className="min-w-0 truncate">{text}</AgentText>
			<LiveDuration className="shrink-0 tabular-nums" from={since} />
		</li>
	);
}

/** Opens a row of this session in the detail pane. */
export function RowButton({ row, className, children }: { row: string; className?: string; children: ReactNode }) {
	const [, setParams] = useSessionParams();
	return (
		<Button kind="quiet" size="small" className={cn('text-accent', className)} onClick={() => void setParams({ row })}>
			{children}
		</Button>
	);
}
