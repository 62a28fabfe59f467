import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { type UsageSource, usageSourceOf } from '#lib/usage/usage-source.ts';
import { LruMap } from '../../process/lru-map.ts';
import { lookOf, transcriptPathOf, transcriptsOf } from './session-transcripts.ts';

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
