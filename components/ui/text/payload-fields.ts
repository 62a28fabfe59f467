import { prettyValue } from '#lib/text/visible-text.ts';

/** One field of a value; the name is empty when the value has no fields. */
export interface PayloadField {
	name: string;
	text: string;
}

/** The fields of an object, each as its own text, so that the lines of one can never pass for another field. */
export function fieldsOf(value: unknown): PayloadField[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		return [{ name: '', text: prettyValue(value) }];
	const entries = Object.entries(value);
	if (entries.length === 0) return [{ name: '', text: '{}' }];
	return entries.map(([name, field]) => ({ name, text: prettyValue(field) }));
}
