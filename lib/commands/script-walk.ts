import {
	type AndOr,
	type Case,
	type CommandNode,
	type CompoundCommand,
	type CompoundList,
	type Function as FunctionNode,
	forEachChild,
	type If,
	type ParsedScript,
	type PipelineNode,
	type Statement,
	type SyntaxNode,
	type Word,
} from 'unbash';
import { assignedNames, INDIRECT } from './assigned-names.ts';
import type { Span } from './command-denial.ts';
import { type CommandPlace, walkCommand } from './command-walk.ts';
import { hiddenSubstitution, LOOKUP_TABLE, quotedArithmetic } from './hidden-code.ts';
import type { LineReader, Setting } from './judging.ts';
import { textField } from './shell-field.ts';
import type { ShellVariables } from './shell-variables.ts';
import { wordValues } from './word-fields.ts';

/**
 * Follows a script as a shell would, branch by branch, and gives each command to the judge. What a branch sets is known
 * afterwards only as one of the possibilities.
 */
export class ScriptWalk implements CommandPlace {
	readonly judge: LineReader;
	readonly source: string;
	readonly #setting: Setting;
	#variables: ShellVariables;
	/** Positions are not those of the line that a person sees: everything stands here. */
	#fixed: Span | undefined;

	/** `isLine`: the source is the line that a person sees. */
	constructor(judge: LineReader, source: string, setting: Setting, isLine: boolean) {
		this.judge = judge;
		this.source = source;
		this.#setting = setting;
		this.#variables = setting.variables;
		this.#fixed = isLine ? undefined : setting.span;
	}

	/** Follows the whole text. */
	start(script: ParsedScript): void {
		const names = assignedNames(script, this.judge.budget);
		this.#variables.touch(names);
		for (const name of names) {
			if (!LOOKUP_TABLE.test(name) && name !== INDIRECT) continue;
			this.judge.unknowable([textField(name)], 'it changes what names stand for', this.settingOf(script));
		}
		this.#list(script.commands);
	}

	/** Where a command stands, as the judge wants it. */
	settingOf(node: SyntaxNode): Setting {
		const span = this.#fixed ?? { start: node.pos, end: node.end };
		return { ...this.#setting, span, variables: this.#variables };
	}

	/** Follows the substitutions inside words, redirections and expressions; each is a shell of its own. */
	parts(node: SyntaxNode): void {
		this.judge.budget.spend(1);
		for (const text of quotedArithmetic(node)) this.judge.script(text, this.settingOf(node));
		forEachChild(node, (child) => {
			if (child.type === 'Script') this.#substitution(child, node);
			else this.parts(child);
		});
	}

	#substitution(script: ParsedScript, from: SyntaxNode): void {
		const fixed = this.#fixed;
		const span = fixed ?? { start: from.pos, end: from.end };
		if (script.errors?.[0]) this.judge.unreadable(script.errors[0].message, span);
		// Backquotes are decoded first, so that positions inside are those of another text.
		if (script.source !== undefined) this.#fixed = span;
		this.#apart(() => this.#list(script.commands));
		this.#fixed = fixed;
	}

	#list(statements: readonly Statement[]): void {
		for (const { command, background } of statements) {
			if (background) this.#maybe(() => this.#andOr(command));
			else this.#andOr(command);
		}
	}

	#andOr(node: PipelineNode | AndOr): void {
		if (node.type !== 'AndOr') return this.#pipeline(node);
		for (const [at, command] of node.commands.entries()) {
			if (at === 0) this.#pipeline(command);
			else this.#maybe(() => this.#pipeline(command));
		}
	}

	#pipeline(node: PipelineNode): void {
		if (node.type !== 'Pipeline') return this.#command(node);
		for (const command of node.commands) this.#maybe(() => this.#command(command));
	}

	#command(node: CommandNode): void {
		switch (node.type) {
			case 'Command':
				return walkCommand(node, this);
			case 'Redirected':
				for (const redirect of node.redirects) this.parts(redirect);
				return this.#compound(node.command);
			case 'Function':
				return this.#function(node);
			case 'Coproc':
				this.#variables.forget([node.name?.value ?? 'COPROC']);
				this.#apart(() => (node.body.type === 'CompoundList' ? this.#body(node.body) : this.#command(node.body)));
				return;
			default:
				return this.#compound(node);
		}
	}

	#compound(node: CompoundCommand): void {
		switch (node.type) {
			case 'BraceGroup':
				return this.#body(node.body);
			case 'Subshell':
				this.#apart(() => this.#body(node.body));
				return;
			case 'If':
				return this.#if(node);
			case 'Case':
				return this.#case(node);
			case 'For':
			case 'Select':
				return this.#for(node.name.value, node.wordlist, node.type === 'For', node.body);
			case 'While':
				return this.#loop(node, () => {
					this.#body(node.clause);
					this.#maybe(() => this.#body(node.body));
				});
			case 'ArithmeticFor':
				for (const part of [node.initialize, node.test, node.update]) if (part) this.parts(part);
				return this.#loop(node.body, () => this.#maybe(() => this.#body(node.body)));
			case 'TestCommand':
				this.parts(node.expression);
				return this.#testWords(node.expression);
			case 'ArithmeticCommand':
				return this.parts(node);
		}
	}

	#body({ commands }: CompoundList): void {
		this.#list(commands);
	}

	#if(node: If): void {
		this.#body(node.clause);
		this.#maybe(() => this.#body(node.then));
		for (const { clause, then } of node.elif) {
			this.#maybe(() => {
				this.#body(clause);
				this.#maybe(() => this.#body(then));
			});
		}
		const otherwise = node.else;
		if (otherwise) this.#maybe(() => this.#body(otherwise));
	}

	#case(node: Case): void {
		this.parts(node.word);
		// One item may go on into the next.
		this.#variables.forget(assignedNames(node, this.judge.budget));
		for (const { pattern, body } of node.items) {
			for (const word of pattern) this.parts(word);
			this.#maybe(() => this.#body(body));
		}
	}

	#for(name: string, words: readonly Word[] | undefined, isKnown: boolean, body: CompoundList): void {
		for (const word of words ?? []) this.parts(word);
		const values = isKnown ? this.#loopValues(words ?? []) : undefined;
		this.#variables.forget([name]);
		this.#loop(body, () =>
			this.#maybe(() => {
				this.#variables.set(name, values);
				this.#body(body);
			}),
		);
	}

	/** What a round sets is there in the next. */
	#loop(node: SyntaxNode, round: () => void): void {
		const names = assignedNames(node, this.judge.budget);
		this.#variables.forget(names);
		round();
		if (names.has('?')) round();
	}

	/** The values that a loop goes through, if they are all plain texts. */
	#loopValues(words: readonly Word[]): string[] | undefined {
		const values: string[] = [];
		for (const word of words) {
			const found = this.#isPlain(word) ? wordValues(word, this.#variables) : undefined;
			if (!found) return undefined;
			values.push(...found);
		}
		return words.length > 0 ? values : undefined;
	}

	#isPlain({ parts }: Word): boolean {
		return (parts ?? []).every(({ type }) => type === 'Literal' || type.endsWith('Quoted'));
	}

	/** A function's body runs wherever its name does, with anything in its variables. */
	#function(node: FunctionNode): void {
		const before = this.#variables;
		this.judge.budget.spend(before.size);
		this.#variables = before.child();
		const { body } = node;
		if (body.type === 'CompoundList') this.#body(body);
		else this.#command(body);
		this.#variables = before;
		const names = assignedNames(body, this.judge.budget);
		before.taint(names.has('?') ? ['*'] : names);
	}

	#testWords(node: SyntaxNode): void {
		forEachChild(node, (child) => {
			if (child.type !== 'Word') return this.#testWords(child);
			for (const text of wordValues(child, this.#variables) ?? []) {
				const hidden = hiddenSubstitution(text);
				if (hidden) this.judge.script(hidden, this.settingOf(child));
			}
		});
	}

	/** Runs with variables of its own, which are given back. */
	#apart(run: () => void): ShellVariables {
		const before = this.#variables;
		this.judge.budget.spend(before.size);
		this.#variables = before.copy();
		run();
		const after = this.#variables;
		this.#variables = before;
		return after;
	}

	#maybe(run: () => void): void {
		this.#variables.join(this.#apart(run));
	}
}
