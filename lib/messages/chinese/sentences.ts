import { compare } from './sentences/compare.ts';
import { health } from './sentences/health.ts';
import { hub } from './sentences/hub.ts';
import { policy } from './sentences/policy.ts';
import {
	alarm,
	cause,
	chapter,
	doing,
	judgement,
	need,
	outcome,
	result,
	stageEnd,
	title,
	verdict,
} from './sentences/session.ts';

/**
 * What servers, folds and reports write in English (`sentence`), by the place where it stands: only there a page takes a text
 * for one of these. Notes (`#how`) name sentences that stand only in holes of others.
 */
export const sentences = {
	...{ doing, cause, alarm, outcome, stageEnd, judgement, need, result, verdict, title, chapter },
	...{ compare, health: { ...health, ...policy }, hub },
} as const;
