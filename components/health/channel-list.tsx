'use client';
import type { ChannelState } from '#lib/contract/health/status.ts';
import type { Say } from '#lib/messages/say.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** The notification channels, and whether the last message of each went out. */
export function ChannelList({ channels }: { channels: readonly ChannelState[] }) {
	const say = useSay();
	const now = useNow();
	if (channels.length === 0) {
		return (
			<p className="text-muted">
				<Advice>
					{say('None: no one hears of a waiting call while no page is open. Set `notify.channels` in config.json.')}
				</Advice>
			</p>
		);
	}
	return (
		<ul>
			{channels.map((channel) => {
				const { tone, glyph, words } = lookOf(channel, now, say);
				return (
					<li key={channel.name} className="flex flex-wrap gap-x-3">
						<AgentText className="font-medium">{channel.name}</AgentText>
						<span className="text-muted">{channel.kind}</span>
						<span className={tone}>
							<span aria-hidden>{glyph} </span>
							{words}
						</span>
					</li>
				);
			})}
		</ul>
	);
}

function lookOf(
	{ missing, last }: ChannelState,
	now: number,
	say: Say,
): { tone: string; glyph: string; words: string } {
	if (missing !== null) {
		const words = say('left out: set {missing} for the server and restart it', { missing });
		return { tone: 'text-warn', glyph: '▲', words };
	}
	if (!last) return { tone: 'text-muted', glyph: '○', words: say('no message yet') };
	const time = clockOrDate(last.ts, now, say.language);
	if (last.ok) return { tone: 'text-ok', glyph: '✓', words: say('last message sent {time}', { time }) };
	const reason = last.reason ?? say('no reason given');
	return { tone: 'text-err', glyph: '✕', words: say('last message failed {time}: {reason}', { time, reason }) };
}
