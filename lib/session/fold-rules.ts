import { type CallView, isOverridden, wasStopped } from './call.ts';
import type { SessionView } from './view.ts';

type Rules = SessionView['rules'];

/** Rules are few; a timeline that names more than this is not counted on. */
const MAX_RULES = 100;
const MAX_NAME = 100;

/** Counts the rules by which a call did not run, or was overridden, from what it was and is: a repeated or late event never counts twice. */
export function countCallRules(rules: Rules, before: CallView | undefined, after: CallView): Rules {
	const was = standing(before);
	const is = standing(after);
	if (before?.verdicts === after.verdicts && was.stopped === is.stopped && was.overridden === is.overridden)
		return rules;
	const known = deniedBy(before);
	let counted = rules;
	for (const rule of deniedBy(after)) {
		const had = known.has(rule);
		const denied = Number(is.stopped) - Number(had && was.stopped);
		const overridden = Number(is.overridden) - Number(had && was.overridden);
		if (denied !== 0 || overridden !== 0) counted = addTo(counted, rule, denied, overridden);
	}
	return counted;
}

/** A call that waits for a person, or that ran although it was denied, counts as neither. */
function standing(call: CallView | undefined): { stopped: boolean; overridden: boolean } {
	return { stopped: call !== undefined && wasStopped(call), overridden: call !== undefined && isOverridden(call) };
}

/** Counts a denial that belongs to no call, such as that of a stop. */
export function countRule(rules: Rules, rule: string): Rules {
	return addTo(rules, rule, 1, 0);
}

function deniedBy(call: CallView | undefined): Set<string> {
	const denials = call?.verdicts.filter(({ decision }) => decision === 'deny') ?? [];
	return new Set(denials.map(({ rule }) => rule));
}

function addTo(rules: Rules = {}, rule: string, denied: number, overridden: number): Rules {
	const known = Object.hasOwn(rules, rule) ? rules[rule] : undefined;
	const isNew = known === undefined;
	if (isNew && (rule === '__proto__' || rule.length > MAX_NAME || Object.keys(rules).length >= MAX_RULES)) return rules;
	const before = known ?? { denied: 0, overridden: 0 };
	return { ...rules, [rule]: { denied: before.denied + denied, overridden: before.overridden + overridden } };
}
