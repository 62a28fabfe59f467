import {
	type Assignment,
	type Command,
	forEachChild,
	type ParameterExpansionPart,
	type ParsedScript,
	type Pipeline,
	type SyntaxNode,
	type Word,
	type WordPart,
} from 'unbash';
import type { CommandContext, Fed, LineReader, Setting, Span } from './judging.ts';
import { judgeForPrograms } from './programs/judge-environment.ts';
import { pipedText } from './programs/program-input.ts';
import { type Field, knownText, MARKS, textField } from './shell-field.ts';
import { isPlain, type ShellVariables, setsNames } from './shell-variables.ts';
import { judgeVariables } from './special-variables.ts';
import { expandWords, wordValues } from './word-fields.ts';

/** Passes each command of a script to the judge: in branches, functions and substitutions. */
export class ScriptWalk implements CommandContext {
	readonly judge: LineReader;
	readonly #variables: ShellVariables;
	readonly #setting: Setting;
	/** Positions in this text are not those of the line that a person sees, so everything is at this span. */
	readonly #fixed: Span | undefined;
	#inFunction = false;
	/** The input of commands without a redirection of their own. */
	#fed: Fed | undefined;

	/** `isLine`: the source is the line that a person sees. */
	constructor(judge: LineReader, source: string, setting: Setting, variables: ShellVariables, isLine: boolean) {
		this.judge = judge;
		this.#variables = variables;
		this.#setting = { ...setting, source };
		this.#fed = setting.fed;
		this.#fixed = isLine ? undefined : setting.span;
	}

	start(script: ParsedScript): void {
		judgeVariables(this.#variables, (node) => this.settingOf(node), this.judge);
		this.#visit(script, script);
	}

	settingOf(node: SyntaxNode, at = node.pos): Setting {
		const span = this.#fixed ?? { start: node.pos, end: node.end };
		const fed = this.#fed === undefined ? {} : { fed: this.#fed };
		return { ...this.#setting, ...fed, span, variables: this.#variables.at(at, this.#inFunction) };
	}

	/** `around`: the part of the text that is shown to a person for everything in it. */
	#visit(node: SyntaxNode, around: SyntaxNode): void {
		this.judge.budget.spend(1);
		const inFunction = this.#inFunction;
		if (node.type === 'Function') this.#inFunction = true;
		if (node.type === 'Command') walkCommand(node, this);
		if (node.type === 'ParameterExpansion') this.#expansion(node, around);
		if (node.type === 'HereDocBody' || node.type === 'DoubleQuoted') {
			for (const part of node.parts ?? []) if (part.type === 'ParameterExpansion') this.#quoted(part, around);
		} else if (node.type === 'ArithmeticExpansion') this.#quoted(node, around);
		if (node.type === 'Script' && node !== around) this.#substitution(node, around);
		else if (node.type === 'Pipeline') this.#pipeline(node);
		else this.#children(node);
		this.#inFunction = inFunction;
	}

	#children(node: SyntaxNode): void {
		const fed = this.#fed;
		const reads = node.type === 'Redirected' && node.redirects.some(({ operator }) => operator.startsWith('<'));
		if (reads) this.#fed = 'unknown';
		forEachChild(node, (child) => this.#visit(child, node));
		if (!isExec(node)) this.#fed = fed;
		else if (node.redirects.some(({ operator }) => operator.startsWith('<'))) this.#fed = 'unknown';
	}

	/** Each part but the first reads the output of the one before it. */
	#pipeline(pipeline: Pipeline): void {
		const fed = this.#fed;
		for (const [index, command] of pipeline.commands.entries()) {
			const before = pipeline.commands[index - 1];
			if (before) this.#fed = before.type === 'Command' ? this.#printed(before) : 'unknown';
			this.#visit(command, pipeline);
		}
		this.#fed = fed;
	}

	#printed(command: Command): Fed {
		const { name, args, redirects } = command;
		const setting = { ...this.settingOf(command), redirects };
		const words = args.filter((arg) => arg.type === 'Word');
		let text: readonly string[] | 'unknown' | undefined;
		return () => {
			text ??= name ? printedBy([name, ...words], setting) : 'unknown';
			return text;
		};
	}

	/** `${x@P}` runs the substitutions in a variable's value, and so does the index of a name in `${!x}`. */
	#expansion({ prefix, index, operation, parameter }: ParameterExpansionPart, around: SyntaxNode): void {
		const setting = this.settingOf(around);
		if (operation?.type === 'Transform' && operation.operand.text.includes('P')) {
			this.judge.unknowable([textField(parameter)], 'its value is run as a prompt', setting);
		}
		const isList = operation?.type === 'Names' || (!operation && /^[@*]$/.test(index?.text ?? ''));
		if (prefix !== '!' || isList || parameter === '#') return;
		const names = index ? undefined : setting.variables.get(parameter);
		if (names?.every((name) => /^[A-Za-z_]\w*$/.test(name))) return;
		this.judge.unknowable([textField(parameter)], 'the name that it stands for is not known', setting);
	}

	/** A quote in `${x:-'...'}` does not quote within double quotes, a here-document or arithmetic. Both are judged. */
	#quoted(part: WordPart, around: SyntaxNode): void {
		if (!runsInQuotes(part.text)) return;
		this.judge.unknowable([textField(part.text)], 'it may run what stands in quotes', this.settingOf(around));
	}

	#substitution(script: ParsedScript, around: SyntaxNode): void {
		const setting = this.settingOf(around);
		if (script.errors?.[0]) this.judge.unreadable(script.errors[0].message, setting.span);
		// Backquotes are decoded first, so positions inside are those of another text.
		if (script.source !== undefined) this.judge.script(script.source, setting);
		else for (const statement of script.commands) this.#visit(statement, script);
	}
}

function printedBy(words: readonly Word[], setting: Setting): readonly string[] | 'unknown' {
	const [fields, ...others] = expandWords(words, setting.variables);
	return fields && others.length === 0 ? pipedText(fields, setting) : 'unknown';
}

/** `exec < FILE`: the commands after it read that file. */
const isExec = (node: SyntaxNode): node is Command => node.type === 'Command' && node.name?.text === 'exec';

/** Whether a quote in `${...}` may contain a substitution. */
function runsInQuotes(text: string): boolean {
	let at = 0;
	for (const piece of text.split('${')) {
		const quote = piece.search(/['}]/);
		if (at > 0 && piece[quote] === "'") return /`|\$[({]/.test(text.slice(at + quote));
		at += piece.length + 2;
	}
	return false;
}

/** Judges one simple command: its assignments, and the command itself. */
function walkCommand(command: Command, context: CommandContext): void {
	const setting = context.settingOf(command, command.name?.pos);
	const assigned = [...command.prefix, ...command.suffix].filter((part) => part.type === 'Assignment');
	for (const each of assigned) judgeAssigned(each, setting, context);
	const { name } = command;
	if (!name) return;
	judgeAlias(command, name, setting, context);
	const words = command.args.filter((arg) => arg.type === 'Word');
	const declared = command.args
		.filter((arg) => arg.type === 'Assignment')
		.map((each) => assignmentField(each, setting));
	const whole = { ...setting, redirects: command.redirects };
	for (const fields of expandWords([name, ...words], setting.variables)) {
		if (!isPlain(name) && setsNames(knownText(fields[0]) ?? '')) {
			context.judge.unknowable(fields, 'that it sets variables shows only when it runs', whole);
		}
		context.judge.words([...fields, ...declared], whole);
	}
}

function assignmentField({ name, value, text }: Assignment, { variables }: Setting): Field {
	const values = value.type === 'Word' ? wordValues(value, variables) : undefined;
	return { raw: text, text: `${name}=${values?.length === 1 ? values[0] : MARKS.oneWord}` };
}

function judgeAssigned({ name, value }: Assignment, setting: Setting, context: CommandContext): void {
	if (value.type !== 'Word') return;
	for (const fields of expandWords([value], setting.variables)) {
		const text = fields.map((field) => field.text).join(' ');
		judgeForPrograms(name, { raw: value.text, text }, setting, context.judge);
	}
}

/** The name may be an alias of this line, followed by further words. */
function judgeAlias(command: Command, { text, value, end }: Word, setting: Setting, context: CommandContext): void {
	const meaning = text === value ? context.judge.aliasOf(text) : undefined;
	if (meaning === undefined || setting.aliases?.includes(text)) return;
	const aliases = [...(setting.aliases ?? []), text];
	const line = `${meaning} ${setting.source.slice(end, command.end)}`;
	context.judge.script(line, { ...setting, aliases }, 'here');
}
