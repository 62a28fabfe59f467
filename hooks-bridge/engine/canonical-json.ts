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

/** Most objects have their keys in order: looking costs less than sorting them. */
function sortedKeys(object: object): string[] {
	const keys = Object.keys(object);
	return keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') <= key) ? keys : keys.sort();
}
