import { HOLE } from './hole.ts';

/** Longer texts are no sentences of ours. */
const LONGEST = 1000;
/** What holes of these names hold; the others anything. */
const HOLDS = new Map([
	...['count', 'nth', 'max', 'done', 'total'].map((name) => [name, String.raw`[\d.,]+[kMG]?`] as const),
	['stage', String.raw`[A-Z][A-Z\d_:-]*`],
	['pass', String.raw`(?:Before the first stage|\S+(?: \(run \d+\))?)`],
	['agent', String.raw`\S+`],
	['command', '`[^`]+`'],
	['path', '/.*?'],
	['time', String.raw`\d\S*`],
	...['often', 'seldom'].map((name) => [name, String.raw`(?:not at all|once|twice|\d+ times)`] as const),
]);
/**
 * In holes of these names stand other sentences that were told, and those whose note is named here: they are known nowhere
 * else. All other holes hold text as it came, which may read like a sentence of ours.
 */
const SENTENCES = new Map([
	...['cause', 'end', 'result', 'why'].map((name) => [name, ''] as const),
	...['again', 'check', 'clause', 'how', 'less', 'pass'].map((name) => [name, name] as const),
	['next', 'pass'],
	['instead', 'how'],
	['often', 'times'],
	['seldom', 'times'],
]);

/** How a sentence looks in English, and its words in another language. */
interface Shape {
	pattern: RegExp;
	/** Where it is known alone; empty where it is known everywhere. */
	note: string;
	words: string;
	/** How much of it is no hole: of two shapes that fit, the one that says more. */
	weight: number;
}

/**
 * Finds the words of sentences that `tell` has made, by their English: of the sentence, of those in its holes, of lists of
 * them, and of those that stand beside others. What is none of them comes back as it is.
 */
export function recognise(told: Readonly<Record<string, string>>): (sentence: string, note?: string) => string {
	let shapes: Shape[] | undefined;
	const find = (sentence: string, note = ''): string | undefined => {
		for (const key of [`${sentence}#${note}`, sentence]) if (Object.hasOwn(told, key)) return told[key];
		if (sentence.length > LONGEST) return undefined;
		const list = listed(sentence, note);
		if (list !== undefined) return list;
		shapes ??= shapesOf(told);
		for (const shape of shapes) {
			const holes = shape.note === '' || shape.note === note ? shape.pattern.exec(sentence)?.groups : undefined;
			if (holes) return shape.words.replace(HOLE, (_hole, name: string) => inHole(name, holes[name] ?? ''));
		}
		return undefined;
	};
	const listed = (sentence: string, note: string): string | undefined => {
		const [, first, others] = /^(.+?)[,;] (.+)$/su.exec(sentence) ?? [];
		const head = first === undefined ? undefined : find(first, note);
		const rest = head === undefined || others === undefined ? undefined : find(others, note);
		return rest === undefined ? undefined : `${head}，${rest}`;
	};
	const inHole = (name: string, text: string): string => {
		const note = SENTENCES.get(name);
		return note === undefined ? text : (find(text, note) ?? beside(text));
	};
	const beside = (text: string): string =>
		text
			.split(' · ')
			.map((part) => find(part) ?? part)
			.join(' · ');
	return (sentence, note) => find(sentence, note) ?? beside(sentence);
}

function shapesOf(told: Readonly<Record<string, string>>): Shape[] {
	const withHoles = Object.entries(told).filter(([text]) => text.includes('{'));
	return withHoles.map(shapeOf).sort((one, other) => other.weight - one.weight);
}

function shapeOf([text, words]: [string, string]): Shape {
	// A match gives the text before it, the hole's name, and the two words that go with a number, if there are any.
	const [sentence = '', note = ''] = text.split('#');
	const parts = sentence.split(HOLE);
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
	return { pattern: new RegExp(`^${pattern}$`, 'su'), note, words, weight };
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
