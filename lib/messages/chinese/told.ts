import { compare } from './told/compare.ts';
import { health } from './told/health.ts';
import { hub } from './told/hub.ts';
import { policy } from './told/policy.ts';
import * as session from './told/session.ts';

/**
 * What servers, folds and reports write in English (`tell`), by the place where it stands: only there a page takes a text
 * for one of these. Notes (`#how`) name sentences that stand only in holes of others.
 */
export const told = { ...session, compare, health: { ...health, ...policy }, hub } as const;
