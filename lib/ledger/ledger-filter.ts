import { deciderWords } from '../approvals/call-words.ts';
import type { DecisionRecord, LedgerFilter } from '../contract/archives/decisions.ts';
import type { Decider } from '../contract/events/catalogue/approval.ts';

/** The name of who decided in the ledger: of their sign-in, else the means of deciding. Null: nobody. */
export function personOf({ by }: { by?: Decider | undefined }): string | null {
	return by ? (by.name ?? deciderWords(by)) : null;
}

/** Whether a line matches the filter; `since` and `until` are applied where the ledger is read. */
export function ledgerFilter(wanted: Omit<LedgerFilter, 'since' | 'until'>): (line: DecisionRecord) => boolean {
	const { kind, state, outcome, rule, gate, person, project, make, session } = wanted;
	const spans = session === undefined ? undefined : new Map(session.split(',').map(readSpan));
	const tests: ((line: DecisionRecord) => boolean)[] = [];
	if (kind) tests.push(kinds[kind]);
	if (state) tests.push((line) => state.includes(line.state));
	if (outcome) tests.push((line) => outcome.includes(line.outcome));
	if (rule !== undefined) tests.push(({ denials }) => denials.some((denial) => denial.rule === rule));
	if (gate !== undefined) tests.push(({ denials }) => denials.some((denial) => denial.gate === gate));
	if (person !== undefined) tests.push((line) => personOf(line) === person);
	if (project !== undefined) tests.push((line) => line.project === project);
	if (make !== undefined) tests.push((line) => line.agent === make);
	if (spans)
		tests.push(({ sessionId, at }) => {
			const [from, to] = spans.get(sessionId) ?? NEVER;
			return Date.parse(at) >= from && Date.parse(at) <= to;
		});
	return (line) => tests.every((holds) => holds(line));
}

const NEVER = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

const kinds: Record<NonNullable<LedgerFilter['kind']>, (line: DecisionRecord) => boolean> = {
	denied: ({ isDenied }) => isDenied,
	'denied-calls': ({ isDenied, isStop }) => isDenied && !isStop,
	overridden: ({ isOverridden }) => isOverridden,
};

function readSpan(item: string): [sessionId: string, span: readonly [from: number, to: number]] {
	const [sessionId = '', span] = item.split(':');
	const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] = span?.split('-').map(Number) ?? [];
	return [sessionId, [from, to]];
}
