import type { told } from './chinese/told.ts';
import { type Filling, HOLE, NOTE } from './hole.ts';

/** A sentence that is made in English far from its reader, and said in the reader's language by the page that shows it. */
export type MessageKey = { [Place in keyof typeof told]: keyof (typeof told)[Place] }[keyof typeof told];

/**
 * The English of a sentence that servers, folds and reports give to pages, terminals and programs alike. What fills its
 * holes stands as it is: numbers without separators, other sentences within it.
 */
export function tell<Text extends MessageKey>(sentence: Text, ...[values]: Filling<Text>): string {
	const filling: Readonly<Record<string, string | number>> = values ?? {};
	return sentence.replace(NOTE, '').replace(HOLE, (_hole, name: string, one?: string, other?: string) => {
		const value = filling[name] ?? '';
		return one === undefined || other === undefined ? String(value) : Number(value) === 1 ? one : other;
	});
}
