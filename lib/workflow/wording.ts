/** A line of Markdown whose sign and words differ in strength. */
export interface WordingMismatch {
	/** Counted from 1. */
	line: number;
	sign: string;
	word: string;
	/** For the writer: what fits. */
	advice: string;
}

const MAX_LINES = 1000;
const MAX_LINE_CHARS = 2000;
const SOFT = /\b(should|could|may|might|consider|optionally|preferably)\b|建議|可以|考慮/iu;
const HARD = /\b(must|never|always|forbidden|required|mandatory)\b|必須|禁止|不可|務必/iu;

/** A sign says how binding a line is: ⛔ and 📋 bind, 💡 advises, 🔧 leaves free. */
const RULES = [
	{ signs: ['⛔', '📋'], wrong: SOFT, advice: 'binds: write must or must not' },
	{ signs: ['💡'], wrong: HARD, advice: 'advises: write should, or use ⛔' },
	{ signs: ['🔧'], wrong: HARD, advice: 'leaves free: write may, or use ⛔' },
] as const;

/**
 * Finds lines of Markdown whose sign (⛔ 📋 💡 🔧) and words contradict each other. Code blocks and rows of tables are
 * passed over; only the first 1,000 lines are read. At most ten are given.
 */
export function wordingMismatches(markdown: string): WordingMismatch[] {
	const found: WordingMismatch[] = [];
	let fenced = false;
	for (const [at, whole] of markdown.split('\n', MAX_LINES).entries()) {
		const line = whole.slice(0, MAX_LINE_CHARS);
		if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
		if (fenced || /^\s*\|/.test(line)) continue;
		for (const { signs, wrong, advice } of RULES) {
			const sign = signs.find((one) => line.includes(one));
			const word = sign === undefined ? undefined : wrong.exec(line)?.[0];
			if (sign !== undefined && word !== undefined) found.push({ line: at + 1, sign, word, advice });
		}
		if (found.length >= 10) break;
	}
	return found.slice(0, 10);
}
