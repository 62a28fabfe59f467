import type { DecisionRecord, LedgerSeriesBy, LedgerSummary } from '../contract/archives/decisions.ts';
import { personOf } from './ledger-filter.ts';

/** Most listed values of a kind; a timeline may contain any number of them. */
const MAX_NAMES = 30;

interface Sum {
	count: number;
	denied: number;
	overridden: number;
	took: number[];
}

const zero = (): Sum => ({ count: 0, denied: 0, overridden: 0, took: [] });

/** Most rules or persons whose days are listed. */
const MAX_SERIES = 12;

/**
 * Adds up lines of the ledger; `zone` is how many minutes UTC is ahead of the reader's clock. With `by`, the days of each
 * rule or person, too.
 */
export function createLedgerSums(zone: number, by?: LedgerSeriesBy) {
	const all = zero();
	const states = new Map<DecisionRecord['state'], Sum>();
	const outcomes = new Map<DecisionRecord['outcome'], Sum>();
	const rules = new Map<string, Sum>();
	const gates = new Map<string, Sum>();
	const people = new Map<string, Sum>();
	const projects = new Map<string, Sum>();
	const makes = new Map<string, Sum>();
	const days = new Map<string, Sum>();
	const series = new Map<string, Map<string, Sum>>();
	const counts = by === 'person' ? people : rules;

	return {
		add(line: DecisionRecord) {
			const day = dayOf(line.at, zone);
			addTo(all, line);
			addTo(at(states, line.state), line);
			addTo(at(outcomes, line.outcome), line);
			// A rule counts once a line, even if two gates or two verdicts name it.
			const named = new Set(line.denials.map((denial) => denial.rule));
			for (const rule of named) addTo(at(rules, rule), line);
			for (const gate of new Set(line.denials.map((denial) => denial.gate))) addTo(at(gates, gate), line);
			const person = personOf(line);
			if (person !== null) addTo(at(people, person), line);
			if (line.project !== undefined) addTo(at(projects, line.project), line);
			addTo(at(makes, line.agent), line);
			addTo(at(days, day), line);
			for (const name of by === 'rule' ? named : by === 'person' && person !== null ? [person] : []) {
				const own = series.get(name) ?? new Map<string, Sum>();
				series.set(name, own);
				addTo(at(own, day), line);
			}
		},
		total: (): LedgerSummary => ({
			count: all.count,
			...figures(all),
			states: counted(states),
			outcomes: counted(outcomes),
			rules: named(rules),
			gates: named(gates),
			people: named(people),
			projects: named(projects),
			makes: named(makes),
			days: byDay(days),
			series: [...series]
				.sort(([one], [other]) => (counts.get(other)?.count ?? 0) - (counts.get(one)?.count ?? 0))
				.slice(0, MAX_SERIES)
				.map(([name, own]) => ({ name, days: byDay(own) })),
		}),
	};
}

function at<Key>(sums: Map<Key, Sum>, key: Key): Sum {
	const sum = sums.get(key) ?? zero();
	sums.set(key, sum);
	return sum;
}

function addTo(sum: Sum, { isDenied, isOverridden, decideMs }: DecisionRecord): void {
	sum.count += 1;
	if (isDenied) sum.denied += 1;
	if (isOverridden) sum.overridden += 1;
	if (decideMs !== undefined) sum.took.push(decideMs);
}

function figures({ denied, overridden, took }: Sum) {
	const sorted = [...took].sort((a, b) => a - b);
	return { denied, overridden, decideMs: sorted[Math.floor(sorted.length / 2)] ?? null };
}

const byCount = ([, one]: [unknown, Sum], [, other]: [unknown, Sum]) => other.count - one.count;

const counted = <Key>(sums: Map<Key, Sum>) => [...sums].sort(byCount).map(([name, { count }]) => ({ name, count }));

const byDay = (sums: Map<string, Sum>) =>
	[...sums].map(([day, sum]) => ({ day, ...figures(sum) })).sort((a, b) => (a.day < b.day ? -1 : 1));

const named = (sums: Map<string, Sum>) =>
	[...sums]
		.sort(byCount)
		.slice(0, MAX_NAMES)
		.map(([name, sum]) => ({ name, count: sum.count, ...figures(sum) }));

const dayOf = (time: string, zone: number) => new Date(Date.parse(time) - zone * 60_000).toISOString().slice(0, 10);
