import { useEffect, useState } from 'react';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAtMostEvery } from '../live/now.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** They change seldom: after so many events they are read again, but no more often than this. */
const AGAIN_AFTER = 25;
const AGAIN_MS = 2000;

/** The habits that were observed in a session, each with how sure it is; nothing where there are none. */
export function Observations({ sessionId, events }: { sessionId: string; events: number }) {
	const say = useSay();
	const [habits, setHabits] = useState<Observation[]>([]);
	const turn = useAtMostEvery(Math.floor(events / AGAIN_AFTER), AGAIN_MS);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the turn stands for what has happened since.
	useEffect(() => {
		let current = true;
		void callRoute('GET /api/sessions/:id/observations', { params: { id: sessionId } }).then((answer) => {
			if (current && answer.ok) setHabits(answer.data.observations);
		});
		return () => {
			current = false;
		};
	}, [sessionId, turn]);
	if (habits.length === 0) return null;
	return (
		<section aria-label={say('Observations')}>
			<h3 className="text-muted">{say('Observations')}</h3>
			<ul>
				{habits.map(({ id, trigger, action, confidence, count, toldAt }) => (
					<li key={id} className="flex gap-3 border-line border-t py-1">
						<span className="w-24 shrink-0 text-right">
							{say('{share} % sure', { share: Math.round(confidence * 100) })}
							<span className="block text-muted">
								{toldAt === undefined ? say('seen {count}×', { count }) : say('told to the agent')}
							</span>
						</span>
						<span className="min-w-0 [overflow-wrap:anywhere]">
							<AgentText className="block">{action}</AgentText>
							<AgentText className="text-muted">{trigger}</AgentText>
						</span>
					</li>
				))}
			</ul>
		</section>
	);
}
