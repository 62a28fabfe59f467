import { usePathname } from 'next/navigation';
import { useState } from 'react';
import type { Incident } from '#lib/contract/health/incidents.ts';
import { isOver, loudIncidents } from '#lib/incidents/loud-incidents.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { rowAddress } from '../row/addresses.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { Advice } from '../ui/text/advice.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';

/** Shown on every page while an incident is open, until the reader hides it; on phones one line that can be opened. */
export function IncidentNotice() {
	const say = useSay();
	const now = useNow();
	const path = usePathname();
	const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
	const [isOpen, setOpen] = useState(false);
	const offset = useLive((state) => state.clockOffset);
	const incidents = useLive((state) => state.incidents);
	const loud = loudIncidents(incidents, now, openedAt() + offset);
	const [first, ...more] = loud.filter((incident) => !hidden.has(keyOf(incident)));
	if (!first) return null;
	return (
		<aside
			aria-label={say('Incidents')}
			className="flex max-h-40 min-h-8 shrink-0 items-center gap-x-2 overflow-y-auto border-err border-b bg-raised px-4 py-1 max-md:data-open:flex-wrap"
			data-open={isOpen || undefined}
		>
			<span
				role="alert"
				className={cn('min-w-0 flex-1 [overflow-wrap:anywhere]', isOpen ? 'max-md:basis-full' : 'max-md:truncate')}
			>
				<Toned tone="err" className="font-semibold">
					<span className="max-md:sr-only">
						{say('Incident {time}', { time: clockOrDate(first.at, now, say.language) })}
					</span>
				</Toned>{' '}
				<bdi>
					<Advice>{say.field(first, 'message')}</Advice>
				</bdi>
				{isOver(first) && (
					<Toned tone="ok" className="pl-2">
						{say('over')}
					</Toned>
				)}
				{first.fix !== undefined && first.until === null && (
					<span className="text-muted">
						{' '}
						<Phrase of="What to do: {advice}" with={{ advice: <Advice>{say.field(first, 'fix')}</Advice> }} />
					</span>
				)}
			</span>
			<span className="ml-auto flex items-center gap-x-4 whitespace-nowrap">
				<span className={cn('flex gap-x-4', !isOpen && 'max-md:hidden')}>
					{first.code === 'access/minted' && <TextLink href="/access">{say('Access')}</TextLink>}
					{first.sessionId !== undefined && <TextLink href={rowAddress(first.sessionId)}>{say('Session')}</TextLink>}
					{path !== '/status' && (
						<TextLink href="/status">
							{more.length > 0 ? say('Health ({more} more)', { more: more.length }) : say('Health')}
						</TextLink>
					)}
				</span>
				<Button kind="quiet" size="small" className="md:hidden" onClick={() => setOpen(!isOpen)}>
					{isOpen ? say('Less') : say('More')}
				</Button>
				<Button kind="quiet" size="small" onClick={() => setHidden(new Set([...hidden, ...loud.map(keyOf)]))}>
					{say('Hide')}
				</Button>
			</span>
		</aside>
	);
}

const keyOf = ({ code, about, at }: Incident) => `${code} ${about} ${at}`;

/** When this page was opened (ms, browser clock). During server rendering there are no incidents yet. */
const openedAt = (): number => (typeof performance === 'undefined' ? 0 : performance.timeOrigin);
