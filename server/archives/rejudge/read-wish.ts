import { AppError } from '#lib/contract/errors.ts';
import { type RejudgeSettings, withRejudgeSetting } from '#lib/rejudge/rejudge-settings.ts';

/** Settings as a person asks for them, by their whole path. */
export type Wish = Readonly<Record<string, unknown>>;

/** The settings in a JSON text. Throws `request/invalid`, saying what does not fit. */
export function parseWish(text: string): Wish {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new AppError('request/invalid', 'The settings are no JSON.');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new AppError('request/invalid', 'The settings are an object, a path for each.');
	return value as Wish;
}

/** The same as gates are asked with them. Throws `request/invalid`, naming the setting that does not fit. */
export function settingsOf(wish: Wish): RejudgeSettings {
	let settings: RejudgeSettings = { enabled: new Map() };
	for (const [key, value] of Object.entries(wish)) {
		const next = withRejudgeSetting(settings, key, value);
		if ('wrong' in next) throw new AppError('request/invalid', `${key}: ${next.wrong}.`);
		settings = next;
	}
	return settings;
}
