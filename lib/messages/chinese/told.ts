import { compare } from './told/compare.ts';
import { health } from './told/health.ts';
import { hub } from './told/hub.ts';
import { policy } from './told/policy.ts';
import { session } from './told/session.ts';

/**
 * What servers, folds and reports tell in English (`tell`), in Simplified Chinese: a page knows such a sentence by its English.
 * What a hole may hold goes by its name (`recognise.ts`): a number, a stage, another sentence of these, else anything.
 */
export const told = { ...compare, ...health, ...hub, ...policy, ...session } as const;
