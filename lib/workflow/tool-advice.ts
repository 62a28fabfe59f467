const GUARDED: readonly string[] = ['node', 'bun', 'npm', 'yarn', 'git', 'python', 'tsc', 'eslint', 'jest'];
const SEARCH: readonly string[] = ['grep', 'find', 'rg'];
/** Shorter messages are noise. */
const WORTH_CHARS = 20;

function programs(command: string): string[] {
	return command
		.slice(0, 4000)
		.split(/&&|\|\||[;|\n]/)
		.map((part) => /^\s*(?:[A-Za-z_]\w*=\S*\s+)*(?:\S*\/)?([\w.-]+)/.exec(part)?.[1] ?? '');
}

/** The program whose failure needs more than another try. */
export function guardedProgram(command: string, stderr: string): string | undefined {
	if (stderr.trim().length <= WORTH_CHARS) return undefined;
	return programs(command).find((program) => GUARDED.includes(program));
}

/** A search program, although the agent has tools of its own for searching. */
export function searchProgram(command: string): string | undefined {
	return programs(command).find((program) => SEARCH.includes(program));
}

export function guardAdvice(program: string): string {
	return `${program} reported an error. Do not repair it yourself: delegate debugger to find the cause, then developer to fix it.`;
}

interface WordingMismatch {
	line: number;
	sign: string;
	word: string;
	advice: string;
}

const MAX_LINES = 1000;
const MAX_LINE_CHARS = 2000;
const SOFT = /\b(should|could|may|might|consider|optionally|preferably)\b|建議|可以|考慮/iu;
const HARD = /\b(must|never|always|forbidden|required|mandatory)\b|必須|禁止|不可|務必/iu;

/** ⛔ and 📋 oblige, 💡 advises, 🔧 permits. */
const RULES = [
	{ signs: ['⛔', '📋'], wrong: SOFT, advice: 'binds: write must or must not' },
	{ signs: ['💡'], wrong: HARD, advice: 'advises: write should, or use ⛔' },
	{ signs: ['🔧'], wrong: HARD, advice: 'leaves free: write may, or use ⛔' },
] as const;

/** Lines whose sign and words contradict each other, without code blocks and tables; of the first 1,000 lines at most ten. */
export function wordingMismatches(markdown: string): WordingMismatch[] {
	const found: WordingMismatch[] = [];
	let fenced = false;
	for (const [index, whole] of markdown.split('\n', MAX_LINES).entries()) {
		const line = whole.slice(0, MAX_LINE_CHARS);
		if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
		if (fenced || /^\s*\|/.test(line)) continue;
		for (const { signs, wrong, advice } of RULES) {
			const sign = signs.find((one) => line.includes(one));
			const word = sign === undefined ? undefined : wrong.exec(line)?.[0];
			if (sign !== undefined && word !== undefined) found.push({ line: index + 1, sign, word, advice });
		}
		if (found.length >= 10) break;
	}
	return found.slice(0, 10);
}
