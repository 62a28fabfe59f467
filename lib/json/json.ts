/** A JSON object as an agent sent it: nothing about it is known yet. */
export type Json = Record<string, unknown>;

/** Narrows to a JSON object; arrays are none. */
export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a field, cut to `max` UTF-16 units; undefined for anything but a non-empty string. */
export function textOf(value: unknown, max = 1024): string | undefined {
	return typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
}

/** A finite number or nothing. */
export function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A boolean or nothing. */
export function flagOf(value: unknown): boolean | undefined {
	return typeof value === 'boolean' ? value : undefined;
}
