import { useEffect, useRef, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import type { PartAnswer, SessionOutline } from '#lib/contract/archives/replay.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import { foldPart, PART_EVENTS, type PartState, seqAt, startOf } from '#lib/replay/recording.ts';
import { loadingSession, type SessionState, windowOf, withRows } from '#lib/session/session-state.ts';
import { useSay } from '../language/use-say.ts';
import { InstantContext } from '../live/now.ts';
import { type SessionSource, SessionSourceContext, useSession } from '../live/session-source.ts';
import { SessionReadings } from '../session-page/session-readings.tsx';
import { Alert, Skeleton } from '../ui/answer-state.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import type { RecordingReads } from './recording-reads.ts';

interface RecordedReadingsProps {
	reads: RecordingReads;
	outline: SessionOutline;
	instant: number;
	/** Where the story starts: at the beginning for a whole recording, at the newest rows for an instant. */
	readsFrom: 'start' | 'end';
}

/** A recorded session as of an instant (ms), built from the same components as a live one. */
export function RecordedReadings({ reads, outline, instant, readsFrom }: RecordedReadingsProps) {
	const say = useSay();
	const { part, error } = useParts(reads, outline.sessionId, instant);
	const [source] = useState(() => createRecordingSource(reads, outline, readsFrom));
	// Keep the last part and its instant on screen until the part for the new instant has loaded.
	const [shownAt, setShownAt] = useState(instant);
	const isHere = part !== null && holds(part, instant);
	useEffect(() => {
		if (!part || !isHere) return;
		source.moveTo(part, instant);
		setShownAt(instant);
	}, [source, part, isHere, instant]);
	return (
		<SessionSourceContext value={source}>
			<InstantContext value={shownAt}>
				{error && (
					<Alert className="border-line border-b px-4 py-1">
						{say('{error} What was read until then is shown.', { error })}
					</Alert>
				)}
				<Readings sessionId={outline.sessionId} />
			</InstantContext>
		</SessionSourceContext>
	);
}

function Readings({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const title = useSession(sessionId, ({ view }) => view && (view.title ?? ''));
	if (title === null) return <Skeleton label={say('The recorded session is loading')} />;
	return (
		<section aria-label={sessionId} className="flex min-h-0 flex-1 flex-col">
			<h2 className="flex shrink-0 items-baseline gap-3 px-4 pt-2">
				<AgentText className="min-w-0 truncate font-semibold">{plainLine(title) || sessionId}</AgentText>
				{title !== '' && (
					<AgentText className="min-w-0 truncate font-mono text-mono text-muted max-md:hidden">{sessionId}</AgentText>
				)}
			</h2>
			<SessionReadings sessionId={sessionId} />
		</section>
	);
}

/** The loaded part of a session around an instant (ms). Prefetches the next part; never loads the whole session. */
function useParts(reads: RecordingReads, sessionId: string, instant: number) {
	const [loaded, setLoaded] = useState<LoadedParts>([]);
	const [error, setError] = useState<string | null>(null);
	const requested = useRef(new Set<string>());
	const here = loaded.find((part) => holds(part, instant));
	const ahead = here ? nextPartToLoad(here, seqAt(here, instant)) : null;
	const isAheadKnown = ahead === null || loaded.some(({ after }) => after === ahead);
	const neededPart = here ? (isAheadKnown ? null : `seq ${ahead}`) : `at ${instant}`;
	// biome-ignore lint/correctness/useExhaustiveDependencies: the instant may have moved while a part loaded, so check again after each one.
	useEffect(() => {
		if (neededPart === null || requested.current.size > 0) return;
		const [by, position] = neededPart.split(' ');
		requested.current.add(neededPart);
		const asking = reads.part(sessionId, by === 'at' ? { at: Number(position) } : { seq: Number(position) });
		void asking.then((answer) => {
			requested.current.delete(neededPart);
			if (answer.ok) setLoaded((before) => withPart(before, answer.data));
			setError(answer.ok ? null : answer.message);
		});
	}, [reads, sessionId, neededPart, loaded]);
	return { part: here ?? loaded.at(-1) ?? null, error };
}

/** A session source fixed at one instant of a recording. `moveTo` changes the instant. */
interface RecordingSource extends SessionSource {
	moveTo: (part: PartAnswer, instant: number) => void;
}

const DEFAULT_LIMIT = 200;
const COMING_LIMIT = 500;
/** Maximum number of rows whose first seq is remembered. */
const MAX_BEGUN = 20_000;

/** Presents a recording like a live session. Rows near the instant are folded here, others come from the server. */
function createRecordingSource(
	reads: RecordingReads,
	outline: SessionOutline,
	readsFrom: SessionSource['readsFrom'],
): RecordingSource {
	const { sessionId } = outline;
	const store = createStore<{ session: SessionState | null }>(() => ({ session: loadingSession(sessionId) }));
	const begun = new Map<string, number>();
	let shown: { part: PartAnswer; state: PartState } | null = null;
	let head: readonly Row[] | null = null;
	const seqNow = () => shown?.state.view.seq ?? 0;

	function remember(rows: readonly Row[]): readonly Row[] {
		if (begun.size > MAX_BEGUN) begun.clear();
		for (const { key, seq } of rows) begun.set(key, seq);
		return rows;
	}

	function show(): void {
		if (!shown) return;
		const { part, state } = shown;
		const latestWindow = withRows(windowOf(part.rows), [...state.changed.values()]);
		const isCut = readsFrom === 'start' && latestWindow.hasOlder;
		if (isCut && head === null) return;
		const window = isCut && head ? { rows: head, hasOlder: false, atTail: false } : latestWindow;
		remember(window.rows);
		// Row ranges are cached by epoch, so each part has its own.
		const epoch = String(part.after);
		store.setState({ session: { ...loadingSession(sessionId), status: 'ready', epoch, view: state.view, window } });
	}

	return {
		isLive: false,
		...(readsFrom === 'end' && {
			coming: {
				...outline,
				async getRows(_sessionId, after) {
					const answer = await reads.rows(sessionId, { seq: outline.events, after, limit: COMING_LIMIT });
					return answer.ok ? answer.data.rows : [];
				},
			},
		}),
		readsFrom,
		store,
		getBlob: reads.blob,
		getHandoff: reads.handoff,
		put: (session) => store.setState({ session }),
		moveTo(part, instant) {
			const near = shown?.part.after === part.after ? shown.state : startOf(part);
			const state = foldPart(part, seqAt(part, instant), near);
			if (shown?.part === part && state === shown.state) return;
			shown = { part, state };
			show();
			if (readsFrom === 'end' || head !== null) return;
			const query = { seq: state.view.seq, after: 0, limit: DEFAULT_LIMIT };
			void reads.rows(sessionId, query).then((answer) => {
				head = answer.ok ? answer.data.rows : part.rows;
				show();
			});
		},
		async getRows(_sessionId, { before, after, limit = DEFAULT_LIMIT }) {
			const query = {
				seq: seqNow(),
				limit,
				...(before !== undefined && { before }),
				...(after !== undefined && { after }),
			};
			const answer = await reads.rows(sessionId, query);
			if (answer.ok) remember(answer.data.rows);
			return answer;
		},
		async getDensity() {
			const seq = seqNow();
			const points = outline.points.filter((point) => point.seq <= seq);
			return { ok: true, data: { points } };
		},
		async getEvents(_sessionId, { after = 0, limit = DEFAULT_LIMIT, row }) {
			const seq = seqNow();
			if (after >= seq) return { ok: true, data: { events: [] } };
			const first = row === undefined ? undefined : begun.get(row);
			const query = { after, limit, ...(row !== undefined && { row }), ...(first !== undefined && { begun: first }) };
			const answer = await reads.events(sessionId, query);
			if (!answer.ok) return answer;
			return { ok: true, data: { events: answer.data.events.filter((event) => event.seq <= seq) } };
		},
	};
}

const MAX_PARTS = 6;

/** Loaded parts of one recorded session, most recently used last. */
export type LoadedParts = readonly PartAnswer[];

/** Whether the view at an instant (ms) can be folded from this part. */
export function holds({ startAt, nextAt }: PartAnswer, instant: number): boolean {
	return (startAt === null || startAt <= instant) && (nextAt === null || instant < nextAt);
}

/** Adds a part and evicts the least recently used one if there are too many. */
export function withPart(loaded: LoadedParts, part: PartAnswer): LoadedParts {
	return [...loaded.filter(({ after }) => after !== part.after), part].slice(-MAX_PARTS);
}

/** The `after` of the next part if it should be prefetched when playing from `seq`, else null. */
export function nextPartToLoad({ after, events, nextAt }: PartAnswer, seq: number): number | null {
	const isLate = seq - after >= events.length / 2;
	return nextAt !== null && isLate ? after + PART_EVENTS : null;
}
