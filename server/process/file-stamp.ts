import { statSync } from 'node:fs';

/** What changes whenever the file at a path is written, replaced or opened to others; empty where there is none. */
export function fileStamp(path: string): string {
	const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
	return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode].join(' ') : '';
}
