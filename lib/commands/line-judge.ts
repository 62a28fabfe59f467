import { parse } from 'unbash';
import type { CommandDenial, Span } from './command-denial.ts';
import { readerOf, readNames } from './command-readers.ts';
import { type LineReader, type Setting, weightier } from './judging.ts';
import { patternInReach, patternOf, programName } from './program-name.ts';
import { ScriptWalk } from './script-walk.ts';
import { type Field, shownWords } from './shell-field.ts';
import { ShellVariables } from './shell-variables.ts';

const MAX_DEPTH = 12;
const MAX_STEPS = 100_000;
const SHOWN_WORDS = 50;

/** Judges one command line and keeps the denial that tells most. */
export class LineJudge implements LineReader {
	readonly #exclude: readonly string[];
	readonly #aliases = new Map<string, string>();
	#steps = 0;
	denial: CommandDenial | undefined;

	constructor(exclude: readonly string[]) {
		this.#exclude = exclude;
	}

	/** Judges the line itself. */
	line(line: string): void {
		const script = parse(line);
		const span = { start: 0, end: line.length };
		if (script.errors?.[0]) this.#unparsable(script.errors[0].message, span);
		const setting = { span, variables: new ShellVariables(), redirects: [], depth: 0 };
		new ScriptWalk(this, line, setting, true).start(script);
	}

	script(text: string, setting: Setting, variables = setting.variables.child()): void {
		if (setting.depth >= MAX_DEPTH) return this.unknowable([], 'texts within texts are nested too deeply', setting);
		if (!this.#spend(text.length / 8 + 1, setting)) return;
		const script = parse(text);
		if (script.errors?.[0]) this.#unparsable(script.errors[0].message, setting.span);
		const inner = { ...setting, variables, depth: setting.depth + 1, redirects: [], isGuess: undefined };
		new ScriptWalk(this, text, inner, false).start(script);
	}

	words(fields: readonly Field[], setting: Setting): void {
		const [first] = fields;
		if (!first || !this.#spend(fields.length, setting)) return;
		const program = programName(first);
		const pattern = patternOf(program, this.#exclude);
		if (pattern !== undefined) {
			const [shown = ''] = shownWords([first]);
			const name = program.known === true ? program.name : shown;
			const reason =
				program.known === true
					? `${name} is not allowed here`
					: `${name} could be ${pattern}, which is not allowed here`;
			return this.#deny('command.excluded', name, pattern, reason, fields, setting);
		}
		if (program.known === false) return this.unknowable(fields, 'its name is known only when it runs', setting);
		if (program.known === true) return readerOf(program.name.toLowerCase())?.(fields, setting, this);
		if (patternInReach(program.pieces, readNames)) {
			this.unknowable(fields, 'its name is a pattern that could match a command which runs others', setting);
		}
	}

	unknowable(fields: readonly Field[], why: string, setting: Setting): void {
		const [shown = 'this command'] = shownWords(fields.slice(0, 1));
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

	#unparsable(message: string, span: Span): void {
		const reason = `this command line cannot be read, so nobody knows what it runs (${message})`;
		const denial = {
			decision: 'deny',
			rule: 'command.unparsable',
			command: '',
			pattern: '',
			argv: [],
			reason,
			span,
		} as const;
		this.denial = weightier(this.denial, { ...denial, argv: [] });
	}

	#deny(
		rule: CommandDenial['rule'],
		command: string,
		pattern: string,
		reason: string,
		fields: readonly Field[],
		{ span }: Setting,
	): void {
		const argv = shownWords(fields.slice(0, SHOWN_WORDS));
		this.denial = weightier(this.denial, { decision: 'deny', rule, command, pattern, reason, argv, span });
	}

	#spend(steps: number, setting: Setting): boolean {
		const was = this.#steps;
		this.#steps += steps;
		if (this.#steps <= MAX_STEPS) return true;
		if (was <= MAX_STEPS) this.unknowable([], 'it is too long to follow', setting);
		return false;
	}
}
