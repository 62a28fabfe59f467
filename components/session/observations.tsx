import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useAtMostEvery } from '../live/now.ts';
import { useRoute } from '../live/use-answer.ts';
import { Fold } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** Observations change rarely: reload after this many events, but at most every REFRESH_MS. */
const AGAIN_AFTER = 25;
const REFRESH_MS = 2000;

export function Observations({ sessionId, events }: { sessionId: string; events: number }) {
	const say = useSay();
	const version = useAtMostEvery(Math.floor(events / AGAIN_AFTER), REFRESH_MS);
	const { data } = useRoute('GET /api/sessions/:id/observations', { params: { id: sessionId } }, { version });
	const habits = data?.observations ?? [];
	if (habits.length === 0) return null;
	return (
		<Fold title={say('Habits that were noticed')} titleClassName="text-muted hover:text-text">
			<ul aria-label={say('Observations')}>
				{habits.map(({ id, trigger, action, confidence, count, toldAt }) => (
					<li key={id} className="border-line border-t py-1 [overflow-wrap:anywhere]">
						<Phrase
							of="After {trigger}: {action}."
							with={{ trigger: <AgentText>{trigger}</AgentText>, action: <AgentText>{action}</AgentText> }}
						/>
						<span className="block text-muted text-small">
							{say('Seen {count} {count:time|times}, {share} % sure', { count, share: Math.round(confidence * 100) })}
							{toldAt !== undefined && ` · ${say('told to the agent')}`}
						</span>
					</li>
				))}
			</ul>
		</Fold>
	);
}
