import type { Tone } from '../contract/events/event-labels.ts';
import type { EdgeGroup, HubEdge } from '../contract/hub/edges.ts';
import type { Plain, Say } from '../messages/say.ts';
import { byteSize } from '../text/byte-size.ts';
import { roughDuration } from '../time/duration.ts';

export const groups: readonly EdgeGroup[] = ['connected', 'away', 'pending', 'quarantined', 'revoked'];

type StateLook = { word: Plain; tone: Tone; glyph?: string };

export const groupLooks: Record<EdgeGroup, StateLook> = {
	connected: { word: 'Connected', tone: 'ok' },
	away: { word: 'Away', tone: 'warn' },
	pending: { word: 'Pending', tone: 'wait' },
	quarantined: { word: 'Quarantined', tone: 'warn' },
	revoked: { word: 'Revoked', tone: 'err' },
};

export const groupOf = ({ state, connected }: HubEdge): EdgeGroup =>
	state === 'joined' ? (connected ? 'connected' : 'away') : state;

export const levels: Record<HubEdge['level'], { name: string; where: Plain; means: Plain }> = {
	watch: { name: 'H0', where: 'its owner alone', means: 'watched only: its calls are decided at the machine' },
	hub: { name: 'H1', where: 'people at this hub', means: 'the machine believes what this hub says was decided' },
	passkey: { name: 'H2', where: 'people with a passkey', means: 'the machine checks the passkey of whoever decides' },
};

const NEVER: StateLook = { word: 'Never connected', tone: 'plain', glyph: '○' };

/** Where a machine stands. One that has joined but never connected is not just away. */
export const stateLook = (edge: HubEdge): StateLook =>
	edge.state === 'joined' && !edge.connected && edge.seenAt === null ? NEVER : groupLooks[groupOf(edge)];

const LATE_SECONDS = 60;
const SKEW_SECONDS = 5;

/** How much of its timelines the hub lacks; null while it is away or has not reported. */
export function behindWords({ behind }: HubEdge, say: Say): { words: string; isLate: boolean } | null {
	if (!behind) return null;
	const { bytes, seconds } = behind;
	if (bytes === 0) return { words: say('up to date'), isLate: false };
	const size = byteSize(bytes, say.language);
	const isLate = seconds > LATE_SECONDS;
	if (seconds === 0) return { words: say('{size} behind', { size }), isLate };
	return { words: say('{size}, {time} behind', { size, time: roughDuration(seconds * 1000, say.language) }), isLate };
}

/** A warning about a clock that is wrong by more than the tolerance, else null. */
export function clockWords({ clockAhead }: HubEdge, say: Say): string | null {
	if (clockAhead === null || Math.abs(clockAhead) <= SKEW_SECONDS) return null;
	const time = roughDuration(Math.abs(clockAhead) * 1000, say.language);
	return clockAhead > 0 ? say('{time} ahead of the hub’s', { time }) : say('{time} behind the hub’s', { time });
}
