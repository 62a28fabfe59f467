import type { ChapterKind } from '#lib/contract/archives/replay.ts';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { Plain } from '#lib/messages/say.ts';

/** How each kind of chapter reads, one of them and all of them. */
export const chapterLooks: Record<ChapterKind, { word: Plain; all: Plain; tone: Tone }> = {
	denial: { word: 'Denied', all: 'Denials', tone: 'err' },
	'sent-on': { word: 'Sent on', all: 'Sent on', tone: 'plain' },
	mismatch: { word: 'Not in the plan', all: 'Mismatches', tone: 'warn' },
	override: { word: 'Overridden', all: 'Overrides', tone: 'wait' },
	decision: { word: 'Decided', all: 'Decisions', tone: 'wait' },
	failure: { word: 'Failed', all: 'Failures', tone: 'err' },
	stage: { word: 'Stage', all: 'Stages', tone: 'run' },
	prompt: { word: 'Prompt', all: 'Prompts', tone: 'plain' },
};
