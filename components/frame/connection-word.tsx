'use client';
import { hourMinute } from '#lib/time/clock.ts';
import type { Connection } from '../live/connection.ts';
import { useLive } from '../live/store.ts';
import { cn } from '../ui/cn.ts';

/** The state of the connection as a quiet word; what is on screen stays there. */
export function ConnectionWord() {
	const connection = useLive((state) => state.connection);
	const isLive = connection.state === 'live';
	return (
		<span
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
