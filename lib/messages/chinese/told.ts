import { compare } from './told/compare.ts';
import { health } from './told/health.ts';
import { hub } from './told/hub.ts';
import { policy } from './told/policy.ts';
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
} from './told/session.ts';

/**
 * What servers, folds and reports write in English (`tell`), by the place where it stands: only there a page takes a text
 * for one of these. Notes (`#how`) name sentences that stand only in holes of others.
 */
export const told = {
	...{ doing, cause, alarm, outcome, stageEnd, judgement, need, result, verdict, title, chapter },
	...{ compare, health: { ...health, ...policy }, hub },
} as const;
