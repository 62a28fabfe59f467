import { parse } from 'unbash';
import { clip } from '../text/printable.ts';
import { ArithmeticRisk } from './arithmetic-risk.ts';
import { type CommandDenial, type Span, unparsable } from './command-denial.ts';
import { readerOf, readNames } from './command-readers.ts';
import { LOOKUP_TABLE } from './hidden-code.ts';
import { type LineReader, type Setting, weightier } from './judging.ts';
import { patternInReach, patternOf, programName } from './program-name.ts';
import { readChosen } from './read-program.ts';
import { ScriptWalk } from './script-walk.ts';
import { type Field, knownText, shownWords, textField } from './shell-field.ts';
import { ShellVariables } from './shell-variables.ts';
import { StepBudget } from './step-budget.ts';

const MAX_DEPTH = 12;
/** What a word costs that is judged as a command or its argument, in steps. */
const WORD_STEPS = 4;
const SHOWN_WORDS = 50;
const SHOWN_CHARS = 500;
const NAME_CHARS = 80;
const SETS_NAMES = /^(?:declare|typeset|local|export|readonly|read|printf|mapfile|readarray|getopts|let|unset|wait)$/;

/** Judges one command line and keeps the denial that tells most. */
export class LineJudge implements LineReader {
	readonly budget: StepBudget;
	readonly #exclude: readonly string[];
	readonly #aliases = new Map<string, string>();
	readonly #arithmetic: ArithmeticRisk;
	denial: CommandDenial | undefined;

	constructor(exclude: readonly string[], budget = new StepBudget()) {
		this.#exclude = exclude;
		this.budget = budget;
		this.#arithmetic = new ArithmeticRisk(budget);
	}

	/** Judges the line itself. */
	line(line: string): void {
		this.budget.parse(line);
		const script = parse(line);
		const span = { start: 0, end: line.length };
		if (script.errors?.[0]) this.#unparsable(script.errors[0].message, span);
		const setting = { span, variables: new ShellVariables(), redirects: [], depth: 0 };
		this.#atRisk(this.#arithmetic.read(script), setting);
		new ScriptWalk(this, line, setting, true).start(script);
	}

	script(text: string, setting: Setting, variables = setting.variables.child()): void {
		if (setting.depth >= MAX_DEPTH) return this.unknowable([], 'texts within texts are nested too deeply', setting);
		this.budget.parse(text);
		const script = parse(text);
		if (script.errors?.[0]) this.#unparsable(script.errors[0].message, setting.span);
		const inner = { ...setting, variables, depth: setting.depth + 1, redirects: [], isGuess: undefined };
		this.#atRisk(this.#arithmetic.read(script), setting);
		new ScriptWalk(this, text, inner, false).start(script);
	}

	words(fields: readonly Field[], setting: Setting): void {
		const [first] = fields;
		if (!first) return;
		this.budget.spend(fields.length * WORD_STEPS);
		const program = programName(first);
		const pattern = patternOf(program, this.#exclude);
		if (pattern !== undefined) {
			const shown = clip(shownWords([first])[0] ?? '', NAME_CHARS);
			const name = program.known === true ? program.name : shown;
			const reason =
				program.known === true
					? `${name} is not allowed here`
					: `${name} could be ${pattern}, which is not allowed here`;
			return this.#deny('command.excluded', name, pattern, reason, fields, setting);
		}
		if (program.known === 'chosen') return readChosen(fields, setting, this);
		if (program.known === false) return this.unknowable(fields, 'its name is known only when it runs', setting);
		if (
			program.known === true &&
			SETS_NAMES.test(program.name) &&
			fields.some((field) => LOOKUP_TABLE.test(knownText(field) ?? field.raw))
		) {
			return this.unknowable(fields, 'it changes what names stand for', setting);
		}
		if (program.known === true) this.#atRisk(this.#arithmetic.builtin(program.name, fields), setting);
		if (program.known === true) return readerOf(program.name.toLowerCase())?.(fields, setting, this);
		if (patternInReach(program.pieces, readNames)) {
			this.unknowable(fields, 'its name is a pattern that could match a command which runs others', setting);
		}
		// Where no file matches, the pattern may vanish (`nullglob`).
		this.words(fields.slice(1), setting);
	}

	mayRun(text: string, setting: Setting): void {
		if (text === '' || setting.depth >= MAX_DEPTH) return;
		const inner = new LineJudge(this.#exclude, this.budget);
		inner.script(text, setting, new ShellVariables());
		if (inner.denial?.rule === 'command.excluded') this.denial = weightier(this.denial, inner.denial);
	}

	unknowable(fields: readonly Field[], why: string, setting: Setting): void {
		const shown = clip(shownWords(fields.slice(0, 1))[0] ?? 'this line', NAME_CHARS);
		this.#deny('command.unknowable', shown, '', `what ${shown} would run cannot be told: ${why}`, fields, setting);
	}

	alias(name: string, text: string): void {
		this.#aliases.set(name, text);
	}

	aliasOf(name: string): string | undefined {
		return this.#aliases.get(name);
	}

	unreadable(message: string, span: Span): void {
		this.#unparsable(message, span);
	}

	#atRisk(name: string | undefined, setting: Setting): void {
		if (name === undefined) return;
		this.unknowable([textField(name)], 'its value is computed and then evaluated as arithmetic', setting);
	}

	#unparsable(message: string, span: Span): void {
		const reason = `this command line cannot be read, so nobody knows what it runs (${message})`;
		this.denial = weightier(this.denial, unparsable(reason, span));
	}

	#deny(
		rule: CommandDenial['rule'],
		command: string,
		pattern: string,
		reason: string,
		fields: readonly Field[],
		{ span }: Setting,
	): void {
		const argv = shownWords(fields.slice(0, SHOWN_WORDS)).map((word) => clip(word, SHOWN_CHARS));
		this.denial = weightier(this.denial, { decision: 'deny', rule, command, pattern, reason, argv, span });
	}
}
