import { type Command, forEachChild, type SyntaxNode } from 'unbash';
import type { StepBudget } from './step-budget.ts';

/** Commands after which nothing is known of any variable. */
const MAY_SET_ALL =
	/^(?:eval|source|\.|read|mapfile|readarray|getopts|printf|unset|let|wait|trap|builtin|command|declare|typeset|local|export|readonly|set|shift)$/;

/** What `${!name:=value}` sets. */
export const INDIRECT = '!';

/**
 * The variables that a part of a line may set, wherever in it, and the functions, as `name()`; `*` when that cannot be
 * told, `?` when it has a command whose name is known only by following it.
 */
export function assignedNames(node: SyntaxNode, budget: StepBudget): Set<string> {
	const names = new Set<string>();
	const visit = (each: SyntaxNode): void => {
		budget.spend(1);
		for (const name of namesOf(each)) names.add(name);
		forEachChild(each, visit);
	};
	visit(node);
	return names;
}

function namesOf(node: SyntaxNode): string[] {
	switch (node.type) {
		case 'Assignment':
			return [node.name];
		case 'For':
		case 'Select':
			return [node.name.value];
		case 'Function':
			return [`${node.name.value}()`];
		case 'FileDescriptorVariable':
			return [node.name];
		case 'Coproc':
			return [node.name?.value ?? 'COPROC'];
		case 'ParameterExpansion':
			if (node.operation?.type !== 'Default' || !node.operation.operator.endsWith('=')) return [];
			return [node.prefix === '!' ? INDIRECT : node.parameter];
		case 'Command':
			return hasOpenName(node) ? ['?'] : mayRunAnything(node) ? ['*'] : [];
		default:
			return [];
	}
}

function hasOpenName({ name }: Command): boolean {
	return name?.parts?.some((part) => part.type !== 'Literal' && part.type !== 'SingleQuoted') === true;
}

function mayRunAnything({ name, args }: Command): boolean {
	if (!name) return false;
	if (/^(?:declare|typeset|local|export|readonly)$/.test(name.value)) {
		return args.some((arg) => arg.type === 'Word' && !/^(?:-[gxr]+|\w+)$/.test(arg.text));
	}
	if (name.value === 'printf') return args[0]?.type !== 'Word' || /^-v|^\$/.test(args[0].text);
	return MAY_SET_ALL.test(name.value);
}
