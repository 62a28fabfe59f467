import type { Plain } from '#lib/messages/say.ts';
import { hourMinute } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { type Connection, useLive } from '../live/store.ts';
import { cn } from './cn.ts';

/** The connection in a word, announced when it changes; with `isOnlyTrouble` only while it is down. */
export function ConnectionWord({ isOnlyTrouble = false }: { isOnlyTrouble?: boolean }) {
	const say = useSay();
	const connection = useLive((state) => state.connection);
	const isLive = connection.state === 'live';
	const word =
		connection.state === 'offline'
			? say('Offline since {time}', { time: hourMinute(connection.since) })
			: say(words[connection.state]);
	if (isLive && isOnlyTrouble) return <span role="status" />;
	return (
		<span
			role="status"
			className={cn('inline-flex items-center gap-1.5', isLive ? 'text-muted' : 'text-warn')}
			data-connection={connection.state}
		>
			<span aria-hidden className={cn('size-1.5 rounded-full', isLive ? 'bg-ok' : 'bg-warn')} />
			{connection.state === 'signed-out' ? (
				<a href="/login" className="underline">
					{word}
				</a>
			) : (
				word
			)}
		</span>
	);
}

const words: Record<Exclude<Connection['state'], 'offline'>, Plain> = {
	connecting: 'Connecting',
	live: 'Live',
	reconnecting: 'Reconnecting',
	outdated: 'Reload: new version',
	'signed-out': 'Signed out',
};
