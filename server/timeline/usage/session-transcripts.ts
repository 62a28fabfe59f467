import { lstatSync, readdirSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import type { Transcripts } from '#hooks-bridge/agents/agent-adapter.ts';
import { agentFolder } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { isOwnFolder } from '#hooks-bridge/disk/own-folder.ts';
import { isAgentName } from '#lib/agents/agent-table.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { type UsageSource, usageSourceOf } from '#lib/usage/usage-totals.ts';
import { LruMap } from '../../process/lru-map.ts';

/** Sub-agents of one session whose transcripts are read; the newest count. */
const MOST_AGENTS = 500;

/** A transcript of a session; the main agent's has no agent id. */
export interface SessionTranscript {
	path: string;
	root: string;
	agentId?: string;
}

/** The main transcript of a session, as a hook named it, or where its make usually has it; undefined where neither is known. */
export function transcriptPathOf({ agent, sessionId, transcript }: SessionView): string | undefined {
	if (transcript) return transcript.path;
	const usual = adapterOf(agent).transcripts?.usual?.(sessionId);
	if (usual === undefined || !isAgentName(agent)) return undefined;
	return join(agentFolder(setupOf(agent), { env: process.env, cwd: '/' }), usual);
}

/** The transcripts of a session, if the path that its agent named can be one; null if it cannot. */
export function transcriptsOf(
	transcripts: Transcripts,
	path: string,
	{ sessionId, agents: known }: Pick<SessionView, 'sessionId' | 'agents'>,
): SessionTranscript[] | null {
	const place = isAbsolute(path) && normalize(path) === path ? transcripts.placeOf(path, sessionId) : null;
	if (!place) return null;
	const { root, main, agents } = place;
	const ofAgents = (agents ? namesIn(agents.folder, root) : []).flatMap((name): SessionTranscript[] => {
		const agentId = transcripts.agentOf(name);
		const isOurs = agentId !== undefined && (!agents?.isShared || known.some((agent) => agent.agentId === agentId));
		return isOurs && agents ? [{ path: join(agents.folder, name), root, agentId }] : [];
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

/** Sessions whose teller is remembered; of the others the view has long known it. */
const REMEMBERED = 2000;

/** Sees to it that the tokens of a session are told by one source alone. */
export interface UsageSources {
	/** Whether a source may tell of this session's answers now. Who was let tell is the one from then on. */
	mayTell(source: UsageSource, view: SessionView): boolean;
}

/** What was told a moment ago is not in the view yet, so that is remembered here. */
export function createUsageSources(): UsageSources {
	const tellers = new LruMap<string, UsageSource>(REMEMBERED);
	return {
		mayTell(source, view) {
			const { sessionId, usage } = view;
			const teller = usageSourceOf(tellers.get(sessionId), usage, hasTranscript(view));
			if (teller !== source) return false;
			tellers.set(sessionId, teller);
			return true;
		},
	};
}

function hasTranscript(view: SessionView): boolean {
	const { transcripts } = adapterOf(view.agent);
	const path = transcriptPathOf(view);
	if (!transcripts || path === undefined) return false;
	const main = transcriptsOf(transcripts, path, view)?.find(({ agentId }) => agentId === undefined);
	return main !== undefined && lookOf(main.path) !== '';
}
