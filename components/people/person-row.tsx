import type { HubPeople, PersonLine } from '#lib/contract/hub/hub-people.ts';
import { clockOrDate, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph } from '../ui/tone.ts';
import { roleWords } from './role-words.ts';

/** Days change that seldom (ms). */
const STEP_MS = 60_000;

interface PersonRowProps {
	person: PersonLine;
	teams: HubPeople['teams'];
	/** The row's part in the list's one tab stop. */
	rowProps: { 'data-row': string; tabIndex: 0 | -1 };
	onOpen: () => void;
}

/** One person in a line: who it is, what they may, and when they were here last. */
export function PersonRow({ person, teams, rowProps, onOpen }: PersonRowProps) {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const { name, email, roles, disabled, seenAt, mine } = person;
	return (
		<li>
			<button
				{...rowProps}
				type="button"
				onClick={onOpen}
				className="grid min-h-9 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-line border-b px-2 py-1 text-left hover:bg-hover @min-[640px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_5rem] pointer-coarse:min-h-11"
			>
				<span className="col-start-1 row-start-1 flex min-w-0 flex-wrap items-baseline gap-x-2">
					<AgentText className={cn('min-w-0 truncate font-medium', disabled && 'text-muted line-through')}>
						{name}
					</AgentText>
					{mine && <span className="text-accent">{say('you')}</span>}
					{email && <AgentText className="min-w-0 truncate text-muted text-small">{email}</AgentText>}
				</span>
				<span className="col-span-2 col-start-1 row-start-2 min-w-0 @min-[640px]:col-span-1 @min-[640px]:col-start-2 @min-[640px]:row-start-1">
					{disabled ? (
						<span className="text-err">
							<span aria-hidden>{toneGlyph.err} </span>
							{say('switched off')}
						</span>
					) : roles.length === 0 ? (
						<span className="text-warn">
							<span aria-hidden>{toneGlyph.warn} </span>
							{say('no role: does not get in')}
						</span>
					) : (
						<AgentText className="text-muted">{roles.map((role) => roleWords(role, teams, say)).join(', ')}</AgentText>
					)}
				</span>
				<span className="col-start-2 row-start-1 text-right text-muted @min-[640px]:col-start-3">
					<span className="sr-only">{say('Here last')} </span>
					{seenAt === null ? (
						say('never')
					) : (
						<time dateTime={seenAt} title={dayAndTime(seenAt)}>
							{clockOrDate(seenAt, now, say.language)}
						</time>
					)}
				</span>
			</button>
		</li>
	);
}
