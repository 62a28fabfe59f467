import type { chinese } from './chinese.ts';
import type { Language } from './language.ts';
import { type Filling, HOLE, type Hole, type MessageKey, NOTE } from './sentence.ts';

/**
 * Every message there is, by its English words. It may have holes, `{name}`; `{count:call|calls}` is the word that goes
 * with a number; what follows `#` tells two meanings of the same English words apart and is not shown.
 */
export type Message = keyof typeof chinese.words | MessageKey;

export type Plain = { [Text in Message]: [Hole<Text>] extends [never] ? Text : never }[Message];

/** Where a text stands that may be one of ours. */
export type SentenceTopic = keyof typeof chinese.sentences | 'health#check' | 'health#incident';

export interface Dictionary {
	words: Readonly<Record<string, string>>;
	sentences: SentenceTables;
}

/** Says a message in the reader's language. Numbers are written by Intl; text is filled in as it is. */
export interface Say {
	<Text extends Message>(message: Text, ...filling: Filling<Text>): string;
	readonly language: Language;
	/** A text that `sentence` made in English for this topic, in this language; any other text, such as an agent’s, unchanged. */
	sentence(text: string, place: SentenceTopic): string;
	/** Any message of ours, or what the server says of itself. Not for agents' text, which may be one by chance. */
	known(text: string): string;
	pieces<Text extends Message, Value>(message: Text, ...filling: Filling<Text, Value>): (string | Value)[];
}

export function sayIn(language: Language, dictionary: Dictionary | null): Say {
	const numbers = new Intl.NumberFormat(language);
	const plurals = new Intl.PluralRules(language);
	const dictionaryWords = Object.assign({}, ...Object.values(dictionary?.sentences ?? {}), dictionary?.words);
	const find = (message: string) => (Object.hasOwn(dictionaryWords, message) ? dictionaryWords[message] : undefined);
	const wordsOf = (message: string) => find(message) ?? message.replace(NOTE, '');
	const recogniseSentence = dictionary ? recognise(dictionary.sentences) : (text: string) => text;
	const known = (text: string) =>
		find(text) ??
		[recogniseSentence(text, 'health'), recogniseSentence(text, 'hub')].find((words) => words !== text) ??
		text;
	const inHole = <Value>(value: Value, one: string | undefined, other: string | undefined): string | Value => {
		if (one !== undefined && other !== undefined) return plurals.select(Number(value)) === 'one' ? one : other;
		return typeof value === 'number' ? numbers.format(value) : value;
	};
	function pieces<Value>(message: string, values: Readonly<Record<string, Value>> = {}): (string | Value)[] {
		// A match gives the text before it, the hole's name, and the two words that go with a number, if there are any.
		const parts = wordsOf(message).split(HOLE);
		const found: (string | Value)[] = [];
		for (let at = 0; at < parts.length; at += 4) {
			const [text = '', name, one, other] = parts.slice(at, at + 4);
			if (text !== '') found.push(text);
			const value = name === undefined ? undefined : values[name];
			if (value !== undefined) found.push(inHole(value, one, other));
		}
		return found;
	}
	const translate = (message: string, values?: Readonly<Record<string, string | number>>) =>
		values === undefined ? wordsOf(message) : pieces(message, values).join('');
	return Object.assign(translate, { language, sentence: recogniseSentence, known, pieces });
}

export const english = sayIn('en', null);

/** Sentences and their words in another language, by the place where they stand. */
type SentenceTables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Longer texts are no sentences of ours. */
const LONGEST = 1000;

/** Patterns of holes with these names; other holes hold any text. */
const HOLDS: Readonly<Record<string, string>> = {
	...Object.fromEntries(['count', 'nth', 'max', 'done', 'total'].map((name) => [name, String.raw`[\d.,]+[kMG]?`])),
	stage: String.raw`[A-Z][A-Z\d_:-]*`,
	pass: String.raw`(?:Before the first stage|\S+(?: \(run \d+\))?)`,
	agent: String.raw`\S+`,
	command: '`[^`]+`',
	path: '/.*?',
	time: String.raw`\d\S*`,
	...Object.fromEntries(['often', 'seldom'].map((name) => [name, String.raw`(?:not at all|once|twice|\d+ times)`])),
};

/** Places of the sentences that stand in holes with these names; any other hole holds text as it came, such as an agent's. */
const PLACES: Readonly<Record<string, string>> = {
	...{ alarm: 'alarm', cause: 'cause', ended: 'stageEnd', need: 'need', outcome: 'outcome', result: 'result' },
	...{
		again: 'compare#again',
		next: 'compare#pass',
		pass: 'compare#pass',
		often: 'compare#times',
		seldom: 'compare#times',
	},
	...{ check: 'health#check', end: 'health', less: 'health#less', why: 'health' },
};
/** Such as the others, but of whatever table the sentence is in. */
const NOTES: Readonly<Record<string, string>> = { clause: 'clause', how: 'how', instead: 'how' };

interface Shape {
	pattern: RegExp;
	words: string;
	/** The length of its text outside of holes: of several shapes that fit, the longest is meant. */
	weight: number;
}

/**
 * Finds the words of a sentence that `sentence` has made, among those of one topic: `health`, or `health#check` for its sentences
 * with that note. A list of such sentences is one, too. Any other text comes back as it is.
 */
function recognise(tables: SentenceTables): (text: string, kind: string) => string {
	const known = new Map<string, { plain: ReadonlyMap<string, string>; shapes: readonly Shape[] }>();
	const sentencesOf = (kind: string) => {
		const [table = '', note = ''] = kind.split('#');
		const all = Object.entries(tables[table] ?? {}).flatMap(([key, words]): [string, string][] => {
			const own = NOTE.exec(key)?.[0].slice(1) ?? '';
			return own === '' || own === note ? [[key.replace(NOTE, ''), words]] : [];
		});
		const withHoles = all.filter(([text]) => text.includes('{'));
		const shapes = withHoles.map(shapeOf).sort((one, other) => other.weight - one.weight);
		return { plain: new Map(all.filter(([text]) => !text.includes('{'))), shapes };
	};
	const find = (text: string, kind: string): string | undefined => {
		const sentences = known.get(kind) ?? sentencesOf(kind);
		known.set(kind, sentences);
		const plain = sentences.plain.get(text);
		if (plain !== undefined || text.length > LONGEST) return plain;
		const list = findList(text, kind);
		if (list !== undefined) return list;
		for (const { pattern, words } of sentences.shapes) {
			const holes = pattern.exec(text)?.groups;
			if (holes) return words.replace(HOLE, (_hole, name: string) => inHole(name, holes[name] ?? '', kind));
		}
		return undefined;
	};
	const findList = (text: string, kind: string): string | undefined => {
		const [, first, others] = /^(.+?)[,;] (.+)$/su.exec(text) ?? [];
		const head = first === undefined ? undefined : find(first, kind);
		const rest = head === undefined || others === undefined ? undefined : find(others, kind);
		return rest === undefined ? undefined : `${head}，${rest}`;
	};
	const inHole = (name: string, text: string, kind: string): string => {
		const inner = Object.hasOwn(NOTES, name) ? `${kind.split('#')[0]}#${NOTES[name]}` : PLACES[name];
		return inner === undefined ? text : (find(text, inner) ?? text);
	};
	return (text, kind) => find(text, kind) ?? text;

	function shapeOf([text, words]: [string, string]): Shape {
		// Four parts at a time: the text before a hole, its name, and the two words that go with a number, if any.
		const parts = text.split(HOLE);
		let pattern = '';
		let weight = 0;
		for (let at = 0; at < parts.length; at += 4) {
			const [before = '', name, one, other] = parts.slice(at, at + 4);
			weight += before.length;
			pattern += literal(before);
			if (one !== undefined && other !== undefined) pattern += `(?:${literal(one)}|${literal(other)})`;
			else if (name !== undefined)
				pattern += pattern.includes(`(?<${name}>`) ? `\\k<${name}>` : `(?<${name}>${patternOf(name)})`;
		}
		return { pattern: new RegExp(`^${pattern}$`, 'su'), words, weight };
	}

	/** A hole for one of a few plain sentences holds nothing else, so that no text of an agent is taken for one. */
	function patternOf(name: string): string {
		const inner = Object.keys(tables[PLACES[name] ?? ''] ?? {});
		const isPlain = inner.length > 0 && inner.every((text) => !text.includes('{'));
		return isPlain ? inner.map(literal).join('|') : (HOLDS[name] ?? '.+?');
	}
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
