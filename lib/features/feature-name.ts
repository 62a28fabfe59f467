import type { Plain } from '../messages/say.ts';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** A folder's name has at most 255 bytes, and the archive adds a date and a number. */
const MAX_LENGTH = 100;

/** Whether a text may name a feature and so a folder: kebab-case, lower-case letters and digits, 1 to 100 long. */
export function isFeatureName(name: unknown): name is string {
	return typeof name === 'string' && name.length <= MAX_LENGTH && NAME.test(name);
}

export const FEATURE_NAME_RULE: Plain =
	'lower-case letters, digits and single hyphens, at most 100 of them, such as "user-login"';

const FOLDER = /^(\d{4}-\d{2}-\d{2})_([a-z0-9-]{1,100})(?:_([2-9]|[1-9]\d{1,4}))?$/;

export interface ArchiveName {
	/** `YYYY-MM-DD`, in UTC. */
	date: string;
	feature: string;
	/** 1 for the first of that day and name, 2 for the one with the suffix `_2`. */
	nth: number;
}

/** The folder of the `nth` feature of that name archived on the day of `now` (ms): `2026-02-23_user-login_2`. */
export function archiveFolderName(feature: string, now: number, nth = 1): string {
	const day = new Date(now).toISOString().slice(0, 10);
	return nth === 1 ? `${day}_${feature}` : `${day}_${feature}_${nth}`;
}

/** Reads such a name; null for any other folder. A feature's name has no underscore, so the reading is unambiguous. */
export function parseArchiveFolder(folder: string): ArchiveName | null {
	const [, date, feature, nth] = FOLDER.exec(folder) ?? [];
	if (!date || !isFeatureName(feature) || Number.isNaN(Date.parse(date))) return null;
	return { date, feature, nth: nth ? Number(nth) : 1 };
}
