import { HOLE } from './hole.ts';

/** Longer texts are no sentences of ours. */
const LONGEST = 1000;
/** What holes of these names hold; the others anything. */
const HOLDS = new Map([
	...['count', 'nth', 'max', 'done', 'total'].map((name) => [name, String.raw`[\d.,]+[kMG]?`] as const),
	['stage', String.raw`[A-Z][A-Z\d_:-]*`],
	['agent', String.raw`\S+`],
	['time', String.raw`\d\S*`],
]);
/** In these stand other sentences that were told. Text of an agent stays as it came, though it may read like one. */
const SENTENCES = new Set(['cause', 'clause', 'end', 'how', 'result', 'why']);

/** How a sentence looks in English, and its words in another language. */
interface Shape {
	pattern: RegExp;
	words: string;
	/** How much of it is no hole: of two shapes that fit, the one that says more. */
	weight: number;
}

/**
 * Finds the words of sentences that `tell` has made, by their English: of the sentence, of those in its holes, of lists of
 * them, and of those that stand beside others. What is none of them comes back as it is.
 */
export function recognise(told: Readonly<Record<string, string>>): (sentence: string) => string {
	let shapes: Shape[] | undefined;
	const find = (sentence: string): string | undefined => {
		if (Object.hasOwn(told, sentence)) return told[sentence];
		if (sentence.length > LONGEST) return undefined;
		const comma = sentence.indexOf(', ');
		const head = comma === -1 ? undefined : find(sentence.slice(0, comma));
		const rest = head === undefined ? undefined : find(sentence.slice(comma + 2));
		if (rest !== undefined) return `${head}，${rest}`;
		shapes ??= shapesOf(told);
		for (const { pattern, words } of shapes) {
			const holes = pattern.exec(sentence)?.groups;
			if (!holes) continue;
			return words.replace(HOLE, (_hole, name: string) => {
				const text = holes[name] ?? '';
				return SENTENCES.has(name) ? say(text) : text;
			});
		}
		return undefined;
	};
	const say = (sentence: string): string =>
		find(sentence) ??
		sentence
			.split(' · ')
			.map((part) => find(part) ?? part)
			.join(' · ');
	return say;
}

function shapesOf(told: Readonly<Record<string, string>>): Shape[] {
	const withHoles = Object.entries(told).filter(([text]) => text.includes('{'));
	return withHoles.map(shapeOf).sort((one, other) => other.weight - one.weight);
}

function shapeOf([text, words]: [string, string]): Shape {
	// A match gives the text before it, the hole's name, and the two words that go with a number, if there are any.
	const parts = text.split(HOLE);
	let pattern = '';
	let weight = 0;
	for (let at = 0; at < parts.length; at += 4) {
		const [before = '', name, one, other] = parts.slice(at, at + 4);
		weight += before.length;
		pattern += literal(before);
		if (one !== undefined && other !== undefined) pattern += `(?:${literal(one)}|${literal(other)})`;
		else if (name !== undefined)
			pattern += pattern.includes(`(?<${name}>`) ? `\\k<${name}>` : `(?<${name}>${HOLDS.get(name) ?? '.+?'})`;
	}
	return { pattern: new RegExp(`^${pattern}$`, 'su'), words, weight };
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
