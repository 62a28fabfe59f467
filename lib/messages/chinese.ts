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
 * All messages of the pages, by their English words, in Simplified Chinese. Each room has a file of its own; docs/glossary.md has
 * the Chinese words of our terms.
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
