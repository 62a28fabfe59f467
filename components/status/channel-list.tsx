'use client';
import type { ChannelState } from '#lib/contract/status.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { AgentText } from '../text/agent-text.tsx';

/** The notification channels, and whether the last message of each went out. */
export function ChannelList({ channels }: { channels: readonly ChannelState[] }) {
	const now = useNow();
	if (channels.length === 0) {
		return (
			<p className="text-muted">
				None: nobody hears of a waiting call while no page is open. Set <code>notify.channels</code> in config.json.
			</p>
		);
	}
	return (
		<ul>
			{channels.map((channel) => {
				const { tone, glyph, words } = lookOf(channel, now);
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

function lookOf({ missing, last }: ChannelState, now: number): { tone: string; glyph: string; words: string } {
	if (missing !== null) {
		return { tone: 'text-warn', glyph: '▲', words: `left out: set ${missing} for the server and restart it` };
	}
	if (!last) return { tone: 'text-muted', glyph: '○', words: 'no message yet' };
	const at = clockOrDate(last.ts, now);
	if (last.ok) return { tone: 'text-ok', glyph: '✓', words: `last message sent ${at}` };
	return { tone: 'text-err', glyph: '✕', words: `last message failed ${at}: ${last.reason ?? 'no reason given'}` };
}
