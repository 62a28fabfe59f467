import { useCallback, useMemo, useRef, useState } from 'react';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { foldCase } from '#lib/search/said-text.ts';
import { rawFields } from '#lib/session/event-fields.ts';
import { eventRow } from '#lib/session/row.ts';
import { cutText } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { edgesOf, lastEdge } from '#lib/timeline/list-edges.ts';
import { useSay } from '../../language/use-say.ts';
import { useAtMostEvery } from '../../live/now.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { useAnswer } from '../../live/use-answer.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { saveText } from '../../ui/save-text.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { Payload } from '../../ui/text/payload.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useNarrow } from '../../ui/use-size.ts';
import { useStretch } from '../../ui/use-stretch.ts';
import { loudText } from '../story/story-line.tsx';

const NO_EVENTS: readonly IndexedEvent[] = [];
const PAGE = 200;
/** Events of one request. */
const MAX_EVENTS = 1000;
/** Minimum interval (ms) between reloads. Busy sessions send forty events a second, and each reload reads a whole page. */
const REFRESH_MS = 500;
/** Line heights in px. On narrow windows the fields are on a second line. */
const LINE = 28;
const TWO_LINES = 48;

/** All recorded events in pages, newest page first. One event can be open at a time. */
export function RawTab({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const { getEvents } = useSessionSource();
	const last = useAtMostEvery(useSession(sessionId, ({ view }) => view?.seq ?? 0) ?? 0, REFRESH_MS);
	const [from, setFrom] = useState(() => Math.max(0, last - PAGE));
	const [open, setOpen] = useState<IndexedEvent | null>(null);
	const line = useNarrow() ? TWO_LINES : LINE;
	const scrollRef = useRef<HTMLDivElement>(null);
	const isNewest = from + PAGE >= last;
	const upTo = isNewest ? last : from + PAGE;
	const ask = useCallback(
		() => getEvents(sessionId, { after: from, limit: Math.min(MAX_EVENTS, Math.max(1, upTo - from)) }),
		[getEvents, sessionId, from, upTo],
	);
	const { data, error } = useAnswer(ask, undefined, undefined, true);
	const [words, setWords] = useState('');
	const [saveError, setSaveError] = useState<string | null>(null);
	const loaded = data?.events ?? NO_EVENTS;
	const events = useMemo(() => loaded.filter((event) => hasWords(event, words)), [loaded, words]);
	const edges = useMemo(() => edgesOf(events.length, () => line), [events, line]);
	const { from: first, to } = useStretch({ edges, keyAt: (at) => events[at]?.seq, scrollRef, start: () => 0 });

	/** Saves all events of the session, as they were recorded, one a line. */
	async function save() {
		const lines: string[] = [];
		setSaveError(null);
		for (let after = 0; after < last; after += MAX_EVENTS) {
			const answer = await getEvents(sessionId, { after, limit: MAX_EVENTS });
			if (!answer.ok) return setSaveError(answer.message);
			lines.push(...answer.data.events.map((event) => `${JSON.stringify(event)}\n`));
		}
		saveText(`${sessionId}.jsonl`, lines, 'application/x-ndjson');
	}

	return (
		<section aria-label={say('Raw events')} className="flex min-h-0 flex-1 flex-col">
			<div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-1">
				<TextField
					isBare
					type="search"
					label={say('Find events')}
					placeholder={say('Filter by type or text')}
					value={words}
					onWrite={setWords}
					className="w-56 max-md:basis-full"
				/>
				<span className="mr-auto text-muted">
					{words !== ''
						? say('{shown} of {all} events on this page', { shown: events.length, all: loaded.length })
						: last <= PAGE
							? say('{count} {count:event|events}', { count: last })
							: say('{from} to {to} of {last} events', {
									...{ from: String(events[0]?.seq ?? 0), to: String(events.at(-1)?.seq ?? 0), last: String(last) },
								})}
				</span>
				{last > PAGE && (
					<>
						<Button size="small" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - PAGE))}>
							{say('Older')}
						</Button>
						<Button size="small" disabled={isNewest} onClick={() => setFrom(from + PAGE)}>
							{say('Newer')}
						</Button>
					</>
				)}
				<Button size="small" onClick={() => void save()}>
					{say('Save as JSONL')}
				</Button>
				<Alert>{error ?? saveError}</Alert>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
			<div ref={scrollRef} tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
				<ol aria-label={say('Events')} className="relative" style={{ height: lastEdge(edges) }}>
					{events.slice(first, to).map((event, offset) => (
						<li key={event.seq} className="absolute inset-x-0" style={{ top: edges[first + offset], height: line }}>
							<button
								type="button"
								aria-expanded={open?.seq === event.seq}
								onClick={() => setOpen(open?.seq === event.seq ? null : event)}
								className="flex size-full flex-wrap content-center items-center gap-x-3 border-line/60 border-b px-4 text-left md:flex-nowrap font-mono text-mono hover:bg-hover aria-expanded:bg-selected"
							>
								<span className="min-w-8 shrink-0 text-muted max-md:min-w-7">{event.seq}</span>
								<span className="shrink-0 text-muted">{clockTime(event.ts)}</span>
								<AgentText
									className={cn('min-w-0 flex-1 truncate md:w-40 md:flex-none', loudText(eventRow(event).tone))}
								>
									{event.type}
								</AgentText>
								<AgentText className="min-w-0 basis-full truncate text-muted md:basis-auto">
									{previewOf(event)}
								</AgentText>
							</button>
						</li>
					))}
				</ol>
			</div>
			{open && (
				<div className="max-h-1/2 shrink-0 overflow-y-auto border-line border-t p-3">
					<div className="mb-2 flex items-center gap-2">
						<h3 className="font-semibold">{say('Event {seq}', { seq: String(open.seq) })}</h3>
						<CopyButton label={say('Copy JSON')} text={() => JSON.stringify(open, null, 2)} />
						<Button kind="quiet" size="small" className="ml-auto" onClick={() => setOpen(null)}>
							{say('Close')}
						</Button>
					</div>
					<Payload key={open.seq} sessionId={sessionId} value={open} />
				</div>
			)}
		</section>
	);
}

const hasWords = (event: IndexedEvent, words: string) =>
	words === '' || foldCase(JSON.stringify(event)).includes(foldCase(words));

const PREVIEW = 300;

/** `tool: Bash · input: {"command":"ls"}` */
function previewOf(event: IndexedEvent): string {
	const fields = Object.entries(rawFields(event)).map(
		([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
	);
	return cutText(fields.join(' · '), PREVIEW).text;
}
