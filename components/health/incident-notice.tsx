import { loudIncidents } from '#lib/incidents/loud-incidents.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { rowAddress } from '../row/addresses.ts';
import { Advice } from '../ui/text/advice.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';

/** Shown on every page while an incident is open. Users cannot dismiss it. */
export function IncidentNotice() {
	const say = useSay();
	const now = useNow();
	const offset = useLive((state) => state.clockOffset);
	const incidents = useLive((state) => state.incidents);
	const [first, ...more] = loudIncidents(incidents, now, openedAt() + offset);
	if (!first) return null;
	return (
		<aside
			aria-label={say('Incidents')}
			className="flex max-h-40 min-h-8 shrink-0 flex-wrap items-center gap-x-2 overflow-y-auto border-err border-b bg-raised px-4 py-1"
		>
			<span role="alert" className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
				<Toned tone="err" className="font-semibold">
					{say('Incident {time}', { time: clockOrDate(first.at, now, say.language) })}
				</Toned>{' '}
				<bdi>
					<Advice>{say.field(first, 'message')}</Advice>
				</bdi>
				{first.fix !== undefined && first.until === null && (
					<span className="text-muted">
						{' '}
						<Phrase of="What to do: {advice}" with={{ advice: <Advice>{say.field(first, 'fix')}</Advice> }} />
					</span>
				)}
			</span>
			<span className="ml-auto flex gap-x-4 whitespace-nowrap">
				{first.code === 'access/minted' && <TextLink href="/access">{say('Access')}</TextLink>}
				{first.sessionId !== undefined && <TextLink href={rowAddress(first.sessionId)}>{say('Session')}</TextLink>}
				<TextLink href="/status">
					{more.length > 0 ? say('Health ({more} more)', { more: more.length }) : say('Health')}
				</TextLink>
			</span>
		</aside>
	);
}

/** When this page was opened (ms, browser clock). During server rendering there are no incidents yet. */
const openedAt = (): number => (typeof performance === 'undefined' ? 0 : performance.timeOrigin);
