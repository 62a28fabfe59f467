import Link from 'next/link';
import type { ReactNode } from 'react';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import { placeOf } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import type { rowAddress } from '../../row/addresses.ts';
import { ClientMark } from '../../row/client.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

/**
 * The columns of a line that says what a session needs: glyph, time, task, place, why, what to do about it. The first
 * four are those of `SessionRow`, so that the eye runs down one edge; narrower lists put the rest below.
 */
export const NEED_GRID = [
	'grid min-h-8 grid-cols-[0.75rem_minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 border-line border-b px-4 py-1',
	'@min-[640px]:grid-cols-[0.75rem_4.25rem_minmax(0,1fr)_minmax(0,10rem)_auto] @min-[640px]:gap-x-3',
	'@min-[900px]:grid-cols-[0.75rem_4.25rem_26%_minmax(0,9rem)_minmax(0,1fr)_auto]',
	'@min-[1280px]:grid-cols-[0.75rem_4.25rem_28%_15rem_minmax(0,1fr)_auto]',
].join(' ');

/** Where why it needs somebody stands in `NEED_GRID`. */
export const WHY_CELL =
	'col-span-full col-start-2 row-start-3 min-w-0 @min-[640px]:col-start-3 @min-[640px]:col-span-2 @min-[640px]:row-start-2 @min-[900px]:col-span-1 @min-[900px]:col-start-5 @min-[900px]:row-start-1';

/** And the buttons. */
export const DO_CELL =
	'col-span-full col-start-2 @min-[640px]:col-span-1 @min-[640px]:col-start-5 @min-[640px]:row-start-2 @min-[900px]:col-start-6 @min-[900px]:row-start-1';

/** Where the time stands in every line of the list: at the end of a narrow one, else before the task. */
export const TIME_CELL =
	'col-start-3 row-start-1 whitespace-nowrap text-right tabular-nums @min-[640px]:col-start-2 @min-[640px]:text-left';

/** What the session works on, in its person's words; its place stands beside it. */
export function TaskName({ session }: { session: SessionSummary }) {
	const say = useSay();
	return session.title ? (
		<AgentText className="block truncate font-medium">{plainLine(session.title)}</AgentText>
	) : (
		<span className="block truncate text-muted">{say('no task yet')}</span>
	);
}

/** Project, branch and machine, with the client as a mark. */
export function PlaceName({ session: { project, branch, sessionId, machine, agent } }: { session: SessionSummary }) {
	const place = placeOf(project, branch, sessionId, machine);
	return (
		<span className="flex min-w-0 items-center gap-1.5 text-muted">
			<span className="min-w-0 truncate" title={visibleString(place)}>
				<AgentText>{place}</AgentText>
			</span>
			<ClientMark make={agent} className="@max-[1280px]:hidden" markClassName="@min-[1280px]:hidden" />
		</span>
	);
}

interface NeedLeadProps {
	glyph: string;
	tone: string;
	time: ReactNode;
	session: SessionSummary;
	/** Where the task leads; absent where the whole line is a link. */
	href?: ReturnType<typeof rowAddress>;
	/** Stands in the place of project and branch for a moment. */
	notice?: ReactNode;
}

/** The first cells of such a line: what kind of need, since when, in which session. */
export function NeedLead({ glyph, tone, time, session, href, notice }: NeedLeadProps) {
	const task = <TaskName session={session} />;
	const cell = 'col-start-2 row-start-1 min-w-0 @min-[640px]:col-start-3';
	return (
		<>
			<span aria-hidden className={`col-start-1 row-start-1 text-center ${tone}`}>
				{glyph}
			</span>
			<span className={`${TIME_CELL} ${tone}`}>{time}</span>
			{href === undefined ? (
				<span className={cell}>{task}</span>
			) : (
				<Link
					href={href}
					prefetch={false}
					className={`${cell} min-h-6 content-center hover:underline pointer-coarse:min-h-10`}
				>
					{task}
				</Link>
			)}
			<span className="col-start-2 row-start-2 min-w-0 @min-[640px]:col-span-2 @min-[640px]:col-start-4 @min-[640px]:row-start-1 @min-[900px]:col-span-1">
				{notice || <PlaceName session={session} />}
			</span>
		</>
	);
}

interface SessionSectionProps {
	title: string;
	count?: number;
	children: ReactNode;
}

/** A part of the list of sessions under its heading. */
export function SessionSection({ title, count, children }: SessionSectionProps) {
	return (
		<section aria-label={title}>
			<h2 className="px-4 pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				{title} {count !== undefined && <span className="font-normal">{count}</span>}
			</h2>
			<ul className="@container border-line border-t">{children}</ul>
		</section>
	);
}
