import type { Tone } from '../contract/events/event-labels.ts';
import type { Plain } from '../messages/say.ts';
import type { StageProgress } from './workflow-progress.ts';

/** How each standing of a stage reads; the glyph and colour are those of its tone. */
export const stageLooks: Record<StageProgress, { word: Plain; tone: Tone }> = {
	pending: { word: 'pending', tone: 'plain' },
	active: { word: 'running', tone: 'run' },
	pass: { word: 'pass', tone: 'ok' },
	done: { word: 'done, no verdict', tone: 'ok' },
	fail: { word: 'fail', tone: 'err' },
	reject: { word: 'reject', tone: 'err' },
	issues: { word: 'issues', tone: 'warn' },
	unclear: { word: 'unclear', tone: 'warn' },
};

/** A stage that was begun and never came to an end. */
export const leftOpenLook: { word: Plain; tone: Tone } = { word: 'left open', tone: 'plain' };
