import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openTimeline } from '../../timeline/tail/timeline-file.ts';

/** So much of a timeline tells how its session began. */
const HEAD_BYTES = 32 * 1024;

/** How a session began. */
export interface SessionHead {
	sessionId: string;
	/** ISO, of its first line. */
	at: string;
	cwd?: string;
	workflow?: string;
}

/** Reads the beginning of a session's timeline; null where there is none. */
export function sessionHead(home: string, sessionId: string): SessionHead | null {
	const lines = headLines(home, sessionId);
	const text = (type: string, field: string) => {
		const value = lines.find((line) => line.type === type && typeof line[field] === 'string')?.[field];
		return typeof value === 'string' ? value : undefined;
	};
	const at = lines.find(({ ts }) => typeof ts === 'string')?.ts;
	if (typeof at !== 'string') return null;
	const cwd = text('session:start', 'cwd') ?? text('prompt:submit', 'cwd');
	const workflow = text('workflow:start', 'workflowType');
	return { sessionId, at, ...(cwd !== undefined && { cwd }), ...(workflow !== undefined && { workflow }) };
}

function headLines(home: string, sessionId: string): Record<string, unknown>[] {
	const file = openTimeline(join(home, 'sessions'), sessionId);
	if (typeof file === 'string') return [];
	try {
		const bytes = Buffer.alloc(HEAD_BYTES);
		const count = readSync(file.fd, bytes, 0, HEAD_BYTES, 0);
		return bytes.toString('utf8', 0, count).split('\n').flatMap(parse);
	} finally {
		closeSync(file.fd);
	}
}

function parse(line: string): Record<string, unknown>[] {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
	} catch {
		return [];
	}
}
