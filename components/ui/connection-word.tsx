'use client';
import { hourMinute } from '#lib/time/clock.ts';
import type { Connection } from '../live/connection.ts';
import { useLive } from '../live/store.ts';
import { cn } from './cn.ts';

/**
 * The state of the connection as a quiet word, which is also told when it changes; what is on screen stays there. With
 * `isOnlyTrouble` there is no word while all is well.
 */
export function ConnectionWord({ isOnlyTrouble = false }: { isOnlyTrouble?: boolean }) {
	const connection = useLive((state) => state.connection);
	const isLive = connection.state === 'live';
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
					{wordOf(connection)}
				</a>
			) : (
				wordOf(connection)
			)}
		</span>
	);
}

function wordOf(connection: Connection): string {
	switch (connection.state) {
		case 'connecting':
			return 'Connecting';
		case 'live':
			return 'Live';
		case 'reconnecting':
			return 'Reconnecting';
		case 'offline':
			return `Offline since ${hourMinute(connection.since)}`;
		case 'outdated':
			return 'Reload: new version';
		case 'signed-out':
			return 'Signed out';
	}
}
