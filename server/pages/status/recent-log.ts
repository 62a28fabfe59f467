import type { LogLine } from '#lib/contract/health/status.ts';
import { printable } from '#lib/text/printable.ts';
import type { Log, LogFields } from '../../process/log.ts';

const MAX_ENTRIES = 20;
const MAX_CHARS = 300;

export interface RecentLog extends Log {
	recent(): LogLine[];
}

/** Stacks are written on the terminal only; here are the server's own messages, bounded and printable. */
export function createRecentLog(log: Log, now: () => number): RecentLog {
	const lines: LogLine[] = [];
	const storeLine = (level: LogLine['level'], message: string, fields: LogFields = {}) => {
		const words = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
		const text = printable([message, ...words].join(' · '), MAX_CHARS);
		lines.unshift({ ts: new Date(now()).toISOString(), level, message: text });
		lines.length = Math.min(lines.length, MAX_ENTRIES);
	};
	return {
		info: log.info,
		warn(message, fields) {
			storeLine('warn', message, fields);
			log.warn(message, fields);
		},
		error(message, error, fields) {
			storeLine('error', message, fields);
			log.error(message, error, fields);
		},
		recent: () => [...lines],
	};
}
