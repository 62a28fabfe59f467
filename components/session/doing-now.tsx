'use client';
import { useMemo } from 'react';
import type { Doing } from '#lib/contract/sessions/read-model/session-summary.ts';
import { doingOf } from '#lib/session/doing.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** `developer: Bash npm test`, while something goes on. Most events change nothing of it: it is compared as text. */
export function DoingNow({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const told = useSession(sessionId, ({ view }) => (view ? JSON.stringify(doingOf(view) ?? null) : 'null')) ?? 'null';
	const doing = useMemo(() => JSON.parse(told) as Doing | null, [told]);
	const isOver = doing?.since === undefined;
	const text = isOver ? '' : say.told(doing.text);
	return (
		<p className="min-w-0 flex-1 truncate text-muted max-md:hidden" title={visibleString(text)}>
			{!isOver && (
				<>
					{doing.agent !== undefined && <AgentText className="text-text">{`${doing.agent}: `}</AgentText>}
					<AgentText className="font-mono text-mono">{text}</AgentText>
				</>
			)}
		</p>
	);
}
