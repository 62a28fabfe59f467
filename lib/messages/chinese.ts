import { approvals } from './chinese/approvals.ts';
import { compare } from './chinese/compare.ts';
import { errors } from './chinese/errors.ts';
import { events } from './chinese/events.ts';
import { frame } from './chinese/frame.ts';
import { guard } from './chinese/guard.ts';
import { health } from './chinese/health.ts';
import { hub } from './chinese/hub.ts';
import { learning } from './chinese/learning.ts';
import { machines } from './chinese/machines.ts';
import { pages } from './chinese/pages.ts';
import { plain } from './chinese/plain.ts';
import { session } from './chinese/session.ts';
import { sessions } from './chinese/sessions.ts';
import { status } from './chinese/status.ts';
import { story } from './chinese/story.ts';

/**
 * All that pages say, by its English words, in Simplified Chinese. The words of each room stand in a file of their own;
 * which Chinese word a term of ours has is in docs/glossary.md.
 */
export const chinese = {
	...approvals,
	...compare,
	...errors,
	...events,
	...frame,
	...guard,
	...health,
	...hub,
	...learning,
	...machines,
	...pages,
	...plain,
	...session,
	...sessions,
	...status,
	...story,
} as const;
