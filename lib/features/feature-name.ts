import type { Plain } from '../messages/say.ts';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** A folder's name has at most 255 bytes, and the archive adds a date and a number. */
const MAX_LENGTH = 100;

/** Whether a text may name a feature and so a folder: kebab-case, lower-case letters and digits, 1 to 100 long. */
export function isFeatureName(name: unknown): name is string {
	return typeof name === 'string' && name.length <= MAX_LENGTH && NAME.test(name);
}

/** What a feature's name must look like, for messages. */
export const FEATURE_NAME_RULE: Plain =
	'lower-case letters, digits and single hyphens, at most 100 of them, such as "user-login"';
