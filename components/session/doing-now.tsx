'use client';
import { useMemo } from 'react';
import type { Doing } from '#lib/contract/sessions/read-model/session-summary.ts';
import { doingOf } from '#lib/session/status.ts';
import { useSession } from '../live/session-source.ts';
import { DoingLine } from '../row/doing-line.tsx';

/** Who does what in a session, while something goes on. Most events change nothing of it: it is compared as text. */
export function DoingNow({ sessionId }: { sessionId: string }) {
	const told = useSession(sessionId, ({ view }) => (view ? JSON.stringify(doingOf(view) ?? null) : 'null')) ?? 'null';
	const doing = useMemo(() => JSON.parse(told) as Doing | null, [told]);
	return (
		<span className="min-w-0 flex-1 max-md:hidden">
			<DoingLine doing={doing?.since === undefined ? undefined : doing} />
		</span>
	);
}
