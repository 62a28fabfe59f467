import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Transcripts } from '#hooks-bridge/agents/agent-adapter.ts';
import { isOwnFolder } from '#hooks-bridge/disk/own-folder.ts';

/** Sub-agents of one session whose transcripts are read; the newest count. */
const MOST_AGENTS = 500;

/** A transcript of a session; the main agent's has no agent id. */
export interface SessionTranscript {
	path: string;
	root: string;
	agentId?: string;
}

/** The transcripts of a session, if the path that its agent named can be one; null if it cannot. */
export function transcriptsOf(transcripts: Transcripts, path: string, sessionId: string): SessionTranscript[] | null {
	const place = transcripts.placeOf(path, sessionId);
	if (!place) return null;
	const { root, main, agents } = place;
	const ofAgents = namesIn(agents, root).flatMap((name): SessionTranscript[] => {
		const agentId = transcripts.agentOf(name);
		return agentId === undefined ? [] : [{ path: join(agents, name), root, agentId }];
	});
	return [{ path: main, root }, ...ofAgents.slice(-MOST_AGENTS)];
}

function namesIn(folder: string, root: string): string[] {
	try {
		return isOwnFolder(root, folder) ? readdirSync(folder) : [];
	} catch {
		return [];
	}
}

/** What a file looks like without being opened, empty where there is none; a change of it is worth a reading. */
export function lookOf(path: string): string {
	try {
		const stats = lstatSync(path, { throwIfNoEntry: false });
		return stats ? `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
	} catch {
		return 'unreadable';
	}
}
