import { statSync } from 'node:fs';

/** A text that changes whenever the file is written, replaced or made readable to others; empty if there is none. */
export function fileStamp(path: string): string {
	const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
	return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode].join(' ') : '';
}
