/** A JSON object as an agent sent it: nothing about it is known yet. */
export type Json = Record<string, unknown>;

/** Narrows to a JSON object; false for arrays. */
export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The JSON object that a text is; undefined for any other text. */
export function parsedObject(text: string): Json | undefined {
	const value = parsedJson(text);
	return isJson(value) ? value : undefined;
}

/** The text of a field, cut to `max` UTF-16 units; undefined for anything but a non-empty string. */
export function textOf(value: unknown, max = 1024): string | undefined {
	return typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
}

export function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
	return typeof value === 'boolean' ? value : undefined;
}

/** The fields that have a value: a key with undefined is left out. */
export function defined<Fields extends object>(fields: Fields) {
	const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}

/** JSON with sorted keys, so that equal values give equal text. For values at most 64 levels deep. */
export function canonicalJson(value: unknown): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	const object = value as Readonly<Record<string, unknown>>;
	let text = '';
	for (const key of sortedKeys(object)) {
		const item = object[key];
		if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item)}`;
	}
	return `{${text}}`;
}

/** Most objects have sorted keys: checking is cheaper than sorting. */
function sortedKeys(object: object): string[] {
	const keys = Object.keys(object);
	return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key) ? keys : keys.sort();
}
