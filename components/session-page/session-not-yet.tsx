import { useCallback, useEffect, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Advice } from '../ui/text/advice.tsx';

/** The live connection sends a session as soon as it can be read; what has not come after so long is asked for its reason (ms). */
const PATIENCE_MS = 3000;
const AGAIN_MS = 5000;

/** What stands in a session's place until it comes: after a while with the reason, where there is one. */
export function SessionNotYet({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [isLate, setLate] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setLate(true), PATIENCE_MS);
		return () => clearTimeout(timer);
	}, []);
	const ask = useCallback(() => callRoute('GET /api/sessions/:id', { params: { id: sessionId } }), [sessionId]);
	const { error, reload } = useAnswer(isLate ? ask : null, AGAIN_MS);
	if (error === null) return <Skeleton label={say('The session is loading')} />;
	return (
		<div className="mx-auto flex max-w-xl flex-col items-start gap-2 p-8">
			<h1 className="font-semibold text-title">{say('This session cannot be shown now')}</h1>
			<p role="alert" className="text-warn [overflow-wrap:anywhere]">
				<Advice>{error}</Advice>
			</p>
			<p className="text-muted">{say('It is asked for again by itself, and comes as soon as it can be read.')}</p>
			<Button onClick={reload}>{say('Try again')}</Button>
		</div>
	);
}
