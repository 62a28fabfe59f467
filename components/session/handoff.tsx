'use client';
import { useEffect, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import type { Answer } from '../live/call-route.ts';
import { useSessionSource } from '../live/session-source.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Payload } from '../ui/text/payload.tsx';

/** What one stage handed to the next: the file's text, or its path where it is gone. */
export function Handoff({ sessionId, path }: { sessionId: string; path: string }) {
	const say = useSay();
	const { getHandoff } = useSessionSource();
	const [handoff, setHandoff] = useState<Answer<string> | null>(null);
	const name = path.slice(path.lastIndexOf('/') + 1);
	useEffect(() => {
		let current = true;
		void getHandoff(sessionId, name).then((answer) => current && setHandoff(answer));
		return () => {
			current = false;
		};
	}, [getHandoff, sessionId, name]);
	return (
		<section aria-label={say('Handoff')} className="flex flex-col gap-1 border-line border-t py-1">
			<AgentText className="font-mono text-mono text-muted">{path}</AgentText>
			{handoff?.ok && <Payload sessionId={sessionId} value={handoff.data} isReport />}
			{handoff && !handoff.ok && <p className="text-muted">{say.known(handoff.message)}</p>}
		</section>
	);
}
