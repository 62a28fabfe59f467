import { tell } from '#lib/messages/tell.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import { type DiskRoom, diskRoom } from '../../process/disk-room.ts';
import type { IncidentLog } from './incident-log.ts';

/** A look at the room on the home's disk: while it is nearly full, an incident stands. */
export function createRoomLook(
	home: string,
	incidents: Pick<IncidentLog, 'raise' | 'clear'>,
	roomOf: (path: string) => DiskRoom | undefined = diskRoom,
): () => void {
	return () => {
		const room = roomOf(home);
		if (!room?.isLow) return incidents.clear('disk/full', home);
		const message = tell('the disk of {path} is nearly full#incident', { path: home });
		const fix = tell('make room on that disk before what hooks tell has to wait: it had {free} left', {
			free: byteSize(room.free),
		});
		incidents.raise({ code: 'disk/full', about: home, message, fix, stands: true });
	};
}
