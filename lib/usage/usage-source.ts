import type { UsageView } from '../contract/sessions/read-model/session-view.ts';

/** Who tells what the models of a session took. */
export type UsageSource = 'transcript' | 'telemetry';

/**
 * Whose word of a session's tokens counts: theirs who told of an answer first, for all of them; before anybody did the
 * transcript's, where there is one that can be read. So no answer is told by both, whichever order they come in.
 */
export function usageSourceOf(
	told: UsageSource | undefined,
	usage: Pick<UsageView, 'source'> | undefined,
	hasTranscript: boolean,
): UsageSource {
	if (told !== undefined) return told;
	if (usage) return usage.source ?? 'transcript';
	return hasTranscript ? 'transcript' : 'telemetry';
}
