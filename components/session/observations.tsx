import { useSay } from '../language/use-say.ts';
import { useAtMostEvery } from '../live/now.ts';
import { useRoute } from '../live/use-answer.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** Observations change rarely: reload after this many events, but at most every AGAIN_MS. */
const AGAIN_AFTER = 25;
const AGAIN_MS = 2000;

export function Observations({ sessionId, events }: { sessionId: string; events: number }) {
	const say = useSay();
	const version = useAtMostEvery(Math.floor(events / AGAIN_AFTER), AGAIN_MS);
	const { data } = useRoute('GET /api/sessions/:id/observations', { params: { id: sessionId } }, { version });
	const habits = data?.observations ?? [];
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
