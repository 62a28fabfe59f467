import { memo } from 'react';
import type { HubEdge } from '#lib/contract/hub/edges.ts';
import { clockOrDate, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useClock } from '../../live/now.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';
import { behindWords, clockWords, groupLooks, groupOf, levels } from './machine-looks.ts';

const COLUMNS =
	'grid grid-cols-[0.75rem_minmax(0,1fr)_auto] items-center gap-x-3 px-2 text-left @min-[700px]:grid-cols-[7.5rem_minmax(0,1fr)_8rem_11rem_3rem_5rem]';

/** Days change that seldom (ms). */
const STEP_MS = 60_000;

interface MachineRowProps {
	edge: HubEdge;
	/** The row's part in the list's one tab stop. */
	rowProps: { 'data-row': string; tabIndex: 0 | -1 };
	onOpen: () => void;
}

/** What the columns hold; each row says it to whoever does not see them. */
export function MachineHead() {
	const say = useSay();
	return (
		<div aria-hidden className={cn(COLUMNS, 'hidden h-7 text-muted text-small @min-[700px]:grid')}>
			<span>{say('State')}</span>
			<span>{say('Machine')}</span>
			<span>{say('Team')}</span>
			<span>{say('Sent')}</span>
			<span>{say('Level')}</span>
			<span className="text-right">{say('Heard of')}</span>
		</div>
	);
}

/** One machine in a line. */
export const MachineRow = memo(function MachineRow({ edge, rowProps, onOpen }: MachineRowProps) {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const { name, team, reason, seenAt, labels, level, version, older } = edge;
	const { word, tone } = groupLooks[groupOf(edge)];
	const behind = behindWords(edge, say);
	const clock = clockWords(edge, say);
	return (
		<li>
			<button
				{...rowProps}
				type="button"
				onClick={onOpen}
				className={cn(COLUMNS, 'min-h-9 w-full border-line border-b py-1 hover:bg-hover pointer-coarse:min-h-11')}
			>
				<span className={cn('inline-flex items-center gap-1.5', toneText[tone])}>
					<span aria-hidden className="w-3 text-center">
						{toneGlyph[tone]}
					</span>
					<span className="@max-[699px]:hidden">{say(word)}</span>
				</span>
				<span className="flex min-w-0 flex-wrap items-center gap-x-2">
					<AgentText className="min-w-0 truncate font-medium">{name}</AgentText>
					{labels.map((label) => (
						<AgentText key={label} className="rounded border border-line px-1 text-muted text-small">
							{label}
						</AgentText>
					))}
					{reason && <AgentText className="w-full text-small text-warn">{say.told(reason)}</AgentText>}
					{older && (
						<span className="w-full text-small text-warn">
							{say('Its Signalbox is older than this hub: what is newer does not come of it. Upgrade it.')}
						</span>
					)}
					{clock && <span className="w-full text-small text-warn">{say('Its clock is {far}.', { far: clock })}</span>}
				</span>
				<span className="hidden min-w-0 truncate text-muted @min-[700px]:block">
					<span className="sr-only">{say('Team')} </span>
					<AgentText>{team}</AgentText>
				</span>
				<span className={cn('hidden truncate @min-[700px]:block', behind?.isLate ? 'text-warn' : 'text-muted')}>
					{behind?.words}
				</span>
				<span className="hidden text-muted @min-[700px]:block" title={say(levels[level].means)}>
					{levels[level].name}
				</span>
				<span className="text-right text-muted" title={version ? say('Signalbox {version}', { version }) : undefined}>
					<span className="sr-only">{say('Heard of')} </span>
					{groupOf(edge) === 'connected' ? (
						say('now')
					) : seenAt === null ? (
						say('never')
					) : (
						<time dateTime={seenAt} title={dayAndTime(seenAt)}>
							{clockOrDate(seenAt, now, say.language)}
						</time>
					)}
				</span>
				<span className="col-start-2 flex min-w-0 flex-wrap gap-x-2 text-muted text-small @min-[700px]:hidden">
					<span className={toneText[tone]}>{say(word)}</span>
					<AgentText>{team}</AgentText>
					{behind && <span className={cn(behind.isLate && 'text-warn')}>{behind.words}</span>}
					<span>{levels[level].name}</span>
				</span>
			</button>
		</li>
	);
});
