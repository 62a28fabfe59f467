import { sentence } from '#lib/messages/sentence.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import { type DiskRoom, diskRoom } from '../../process/disk-room.ts';
import type { IncidentLog } from './incident-log.ts';

/** Checks the free space on the home's disk: an incident is open while it is nearly full. */
export function createRoomCheck(
	home: string,
	incidents: Pick<IncidentLog, 'raise' | 'clear'>,
	roomOf: (path: string) => DiskRoom | undefined = diskRoom,
): () => void {
	return () => {
		const room = roomOf(home);
		if (!room?.isLow) return incidents.clear('disk/full', home);
		const message = sentence('the disk of {path} is nearly full', { path: home });
		const fix = sentence('make room on that disk before what hooks report has to wait: it had {free} left', {
			free: byteSize(room.free),
		});
		incidents.raise({ code: 'disk/full', about: home, message, fix, isOpen: true });
	};
}
