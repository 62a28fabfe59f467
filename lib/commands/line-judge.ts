import { parse } from 'unbash';
import { clip } from '../text/printable.ts';
import { ArithmeticRisk } from './arithmetic-risk.ts';
import { readerOf } from './command-readers.ts';
import { judgeCopied } from './copied-program.ts';
import { type CommandDenial, type LineReader, moreImportant, type Setting, type Span, unparsable } from './judging.ts';
import { matchingPattern, patternInReach, programName } from './program-name.ts';
import { isKnownProgram } from './programs/known-programs.ts';
import { readChosen } from './read-program.ts';
import { ScriptWalk } from './script-walk.ts';
import { type Field, knownText, shownWords } from './shell-field.ts';
import { nothingKnown, ShellVariables, setsNames } from './shell-variables.ts';
import { judgeSetByWords } from './special-variables.ts';
import { StepBudget } from './step-budget.ts';

const MAX_DEPTH = 12;
/** Their words set no variable. */
const PRINTS = /^(?:echo|printf)$/;
/** Names of program input that could also be used as a file, or that create such a file. */
const NAMES_INPUT =
	/\/(?:dev|proc(?:\/[\w$.-]{1,32}){1,3})\/{1,9}(?:\.\/{1,9}){0,9}(?:stdin|fd\b|["'$`{*?[\\])|\bmk(?:fifo|nod)\b/;
/** Tables in which the shell looks up what a name runs. */
const LOOKUP_TABLE = /\bBASH_(?:CMDS|ALIASES)\b/;
/** The cost of a word that is judged as a command or argument, in steps. */
const WORD_STEPS = 4;
const SHOWN_WORDS = 50;
const SHOWN_CHARS = 500;
const NAME_CHARS = 80;

/** Judges one command line and keeps the most informative denial. */
export class LineJudge implements LineReader {
	readonly budget: StepBudget;
	readonly #exclude: readonly string[];
	readonly #aliases = new Map<string, string>();
	readonly #arithmetic: ArithmeticRisk;
	readonly #asksUnknown: boolean;
	readonly #onCommand: ((fields: readonly Field[]) => void) | undefined;
	#runsFile = false;
	denial: CommandDenial | undefined;

	/** `unknown`: programs in no list are questions. `onCommand` gets the words of each command that surely runs. */
	constructor(
		exclude: readonly string[],
		budget = new StepBudget(),
		unknown?: 'ask',
		onCommand?: (fields: readonly Field[]) => void,
	) {
		this.#onCommand = onCommand;
		this.#asksUnknown = unknown === 'ask';
		this.#exclude = exclude;
		this.budget = budget;
		this.#arithmetic = new ArithmeticRisk(budget);
	}

	line(line: string): void {
		const setting = {
			span: { start: 0, end: line.length },
			variables: nothingKnown,
			redirects: [],
			depth: 0,
			source: line,
		};
		this.#walk(line, setting, true);
		if (this.#runsFile && NAMES_INPUT.test(line)) {
			this.unknowable([], 'a file that a shell runs may be its input by another name', setting);
		}
		if (this.#arithmetic.isThere) this.unknowable([], 'it counts with a text that could run a command', setting);
	}

	script(text: string, setting: Setting, how?: 'here'): void {
		if (setting.depth >= MAX_DEPTH) return this.unknowable([], 'texts within texts are nested too deeply', setting);
		this.#walk(
			text,
			{ ...setting, depth: setting.depth + 1, redirects: [], isGuess: undefined },
			false,
			how === 'here',
		);
	}

	#walk(text: string, setting: Setting, isLine: boolean, inherits = false): void {
		this.budget.parse(text);
		const script = parse(text);
		if (script.errors?.[0]) this.#unparsable(script.errors[0].message, setting.span);
		const variables = new ShellVariables(script, this.budget, setting.variables, inherits);
		this.#arithmetic.read(script);
		new ScriptWalk(this, text, setting, variables, isLine).start(script);
	}

	words(fields: readonly Field[], setting: Setting): void {
		const [first] = fields;
		if (!first) return;
		this.budget.spend(fields.length * WORD_STEPS);
		if (!setting.isGuess) this.#onCommand?.(fields);
		const program = programName(first);
		const pattern = program.known === true ? matchingPattern(program.word, this.#exclude) : undefined;
		if (program.known === true && pattern !== undefined) {
			const reason = `${program.name} is not allowed here`;
			return this.#deny('command.excluded', program.name, pattern, reason, fields, setting);
		}
		const inReach = program.known === 'pattern' ? patternInReach(program.names, this.#exclude) : undefined;
		if (inReach !== undefined) {
			const shown = clip(shownWords([first])[0] ?? '', NAME_CHARS);
			const reason = `${shown} could be ${inReach}, which is not allowed here`;
			return this.#deny('command.excluded', shown, inReach, reason, fields, setting);
		}
		if (program.known === 'chosen') return readChosen(fields, setting, this);
		if (program.known !== true || /^[!^]./.test(program.name)) {
			return this.unknowable(fields, 'its name is known only when it runs', setting);
		}
		if (setsNames(program.name) && fields.some((field) => LOOKUP_TABLE.test(knownText(field) ?? field.raw))) {
			return this.unknowable(fields, 'it changes what names stand for', setting);
		}
		const { name, word } = program;
		// A text for a shell, which may be a single command word.
		if (/\s/.test(word)) this.mayRun(word, setting);
		const isRead = (each: string): boolean => readerOf(each.toLowerCase()) !== undefined;
		if (this.#asksUnknown && setting.variables.isNoFunction(name) && !isKnownProgram(name, word, isRead)) {
			this.#deny(
				'command.unknown',
				name,
				'',
				`nothing is known of ${clip(name, NAME_CHARS)}, so that it may run anything`,
				fields,
				setting,
			);
		}
		this.#arithmetic.builtin(program.name, fields);
		if (!PRINTS.test(program.name)) judgeSetByWords(fields, setting, this);
		judgeCopied(program.name.toLowerCase(), fields, setting, this);
		readerOf(program.name.toLowerCase())?.(fields, setting, this);
	}

	mayRun(text: string, setting: Setting): void {
		if (text === '' || setting.depth >= MAX_DEPTH) return;
		const inner = new LineJudge(this.#exclude, this.budget);
		inner.script(text, { ...setting, variables: nothingKnown });
		if (inner.denial?.rule === 'command.excluded') this.denial = moreImportant(this.denial, inner.denial);
	}

	unknowable(fields: readonly Field[], why: string, setting: Setting): void {
		const shown = clip(shownWords(fields.slice(0, 1))[0] ?? 'this line', NAME_CHARS);
		this.#deny('command.unknowable', shown, '', `what ${shown} would run cannot be told: ${why}`, fields, setting);
	}

	runsFile(): void {
		this.#runsFile = true;
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

	#unparsable(message: string, span: Span): void {
		const reason = `this command line cannot be read, so nobody knows what it runs (${message})`;
		this.denial = moreImportant(this.denial, unparsable(reason, span));
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
		this.denial = moreImportant(this.denial, { decision: 'deny', rule, command, pattern, reason, argv, span });
	}
}
