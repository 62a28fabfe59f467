/** Longer scripts are looked at no further, and no more substitutions than these. */
const MAX_SCRIPT = 8 * 1024;
const MAX_SUBSTITUTIONS = 400;

/** The command `e` with a line of its own, behind any address. */
const RUNS_LINE = /(?:^|[^\w\\-]|[\dIM])e\s*([^\s;}][^\n]*)/g;
/** The command `e` alone runs what the substitutions before it have made, or the line that was read. */
const RUNS_SPACE = /(?:^|[;{}\n\d$/!IM\s])e\s*(?:$|[;}\n])/;
const SUBSTITUTES = /s([^\n\\])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1([gpIiMmw\d]*e)?/sy;

/** What the scripts among the words of `sed` may run, with what it reads: as its script (`-f -`) or as its lines. */
export function commandsInSed(words: readonly string[], inputs: readonly string[]): string[] {
	const readsScript = words.some((word) => /^(?:-\w*f-?|--file(?:=-)?|\/dev\/stdin)$/.test(word));
	const scripts = [...words, ...(readsScript ? inputs : [])].map((text) => text.slice(0, MAX_SCRIPT));
	const found = scripts.flatMap(commandsInScript);
	return scripts.some(runsSpace) ? [...found, ...inputs.flatMap((text) => text.split('\n'))] : found;
}

const runsSpace = (script: string): boolean =>
	RUNS_SPACE.test(script) || substitutions(script).some(({ runs }) => runs);

function commandsInScript(script: string): string[] {
	const lines = [...script.matchAll(RUNS_LINE)].map(([, line = '']) => line);
	const isRun = RUNS_SPACE.test(script);
	return [...lines, ...substitutions(script).flatMap(({ text, runs }) => (runs || isRun ? [text] : []))];
}

/** What may be a substitution, wherever an `s` stands: its new text, and whether it is run at once. */
function substitutions(script: string): { text: string; runs: boolean }[] {
	const found: { text: string; runs: boolean }[] = [];
	let at = script.indexOf('s');
	for (let count = 0; at >= 0 && count < MAX_SUBSTITUTIONS; count += 1) {
		SUBSTITUTES.lastIndex = at;
		const [, , text, runs] = SUBSTITUTES.exec(script) ?? [];
		if (text !== undefined) found.push({ text: text.replace(/\\n/g, '\n'), runs: runs !== undefined });
		at = script.indexOf('s', at + 1);
	}
	return found;
}
