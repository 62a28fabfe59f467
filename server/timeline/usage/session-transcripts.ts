import { lstatSync, readdirSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import type { Transcripts } from '#hooks-bridge/agents/agent-adapter.ts';
import { agentFolder } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { isOwnFolder } from '#hooks-bridge/disk/bounded-read.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { isAgentName } from '#lib/agents/agent-table.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { type UsageSource, usageSourceOf } from '#lib/usage/usage-totals.ts';
import { LruMap } from '../../process/lru-map.ts';

const MAX_AGENTS = 500;

export interface SessionTranscript {
	path: string;
	root: string;
	agentId?: string;
}

/** As a hook named it, or where its client usually has it; undefined if neither is known. */
export function transcriptPathOf({ agent, sessionId, transcript }: SessionView): string | undefined {
	if (transcript) return transcript.path;
	const usual = adapterOf(agent).transcripts?.usual?.(sessionId);
	if (usual === undefined || !isAgentName(agent)) return undefined;
	return join(agentFolder(setupOf(agent), { env: process.env, cwd: '/' }), usual);
}

/** Null if the path that the agent named cannot be one. */
export function transcriptsOf(
	transcripts: Transcripts,
	path: string,
	{ sessionId, agents: known }: Pick<SessionView, 'sessionId' | 'agents'>,
): SessionTranscript[] | null {
	const folder = isAbsolute(path) && normalize(path) === path ? transcripts.folderOf(path, sessionId) : null;
	if (!folder) return null;
	const { root, main, agents } = folder;
	const names = tryTo(() => agents && isOwnFolder(root, agents.folder) && readdirSync(agents.folder)) || [];
	const ofAgents = names.flatMap((name): SessionTranscript[] => {
		const agentId = transcripts.agentOf(name);
		const isOurs = agentId !== undefined && (!agents?.isShared || known.some((agent) => agent.agentId === agentId));
		return isOurs && agents ? [{ path: join(agents.folder, name), root, agentId }] : [];
	});
	return [{ path: main, root }, ...ofAgents.slice(-MAX_AGENTS)];
}

/** A text that changes when the file does; empty if there is none. */
export function fileState(path: string): string {
	try {
		const stats = lstatSync(path, { throwIfNoEntry: false });
		return stats ? `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
	} catch {
		return 'unreadable';
	}
}

const REMEMBERED = 2000;

/** Lets only one source record the tokens of a session. Remembers its last choices, which are not in the view yet. */
export function createUsageSources() {
	const chosen = new LruMap<string, UsageSource>(REMEMBERED);
	return {
		/** Whether a source may record this session's answers; the first one stays the only one. */
		mayRecord(source: UsageSource, view: SessionView): boolean {
			const { sessionId, usage } = view;
			const only = usageSourceOf(chosen.get(sessionId), usage, hasTranscript(view));
			if (only !== source) return false;
			chosen.set(sessionId, only);
			return true;
		},
	};
}

export type UsageSources = ReturnType<typeof createUsageSources>;

function hasTranscript(view: SessionView): boolean {
	const { transcripts } = adapterOf(view.agent);
	const path = transcriptPathOf(view);
	if (!transcripts || path === undefined) return false;
	const main = transcriptsOf(transcripts, path, view)?.find(({ agentId }) => agentId === undefined);
	return main !== undefined && fileState(main.path) !== '';
}
