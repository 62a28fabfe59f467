import { approvals } from './chinese/approvals.ts';
import { compare } from './chinese/compare.ts';
import { errors } from './chinese/errors.ts';
import { events } from './chinese/events.ts';
import { frame } from './chinese/frame.ts';
import { guard } from './chinese/guard.ts';
import { hub } from './chinese/hub.ts';
import { learning } from './chinese/learning.ts';
import { machines } from './chinese/machines.ts';
import { pages } from './chinese/pages.ts';
import { plain } from './chinese/plain.ts';
import { sentences } from './chinese/sentences.ts';
import { session } from './chinese/session.ts';
import { sessions } from './chinese/sessions.ts';
import { status } from './chinese/status.ts';

/**
 * All that the pages say, by its English words, in Simplified Chinese; and what others tell them in English. The words of each room stand in a file of their own;
 * which Chinese word a term of ours has is in docs/glossary.md.
 */
export const chinese = {
	words: {
		...approvals,
		...compare,
		...errors,
		...events,
		...frame,
		...guard,
		...hub,
		...learning,
		...machines,
		...pages,
		...plain,
		...session,
		...sessions,
		...status,
	},
	sentences,
} as const;
