'use client';
import dynamic from 'next/dynamic';
import { type ReactNode, useMemo, useState } from 'react';
import { agentTitle } from '#lib/agents/agent-table.ts';
import type { DecisionRecord, LedgerSeriesBy, LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { ledgerCsv, outcomeWords, stateWords } from '#lib/ledger/ledger-words.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useRoute } from '../live/use-answer.ts';
import { Alert, Skeleton } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { type Filter, FilterControl } from '../ui/filter-control.tsx';
import { Page } from '../ui/page.tsx';
import { saveText } from '../ui/save-text.ts';
import { useRoving } from '../ui/use-roving.ts';
import { LedgerLine } from './ledger-line.tsx';
import { isNarrowed, type LedgerParams, spans, useChartParams, useLedgerParams } from './ledger-params.ts';

const LedgerCharts = dynamic(() => import('./ledger-charts.tsx').then((module) => module.LedgerCharts));

/** `children` are the predefined and saved views, above the list. */
export function DecisionsPage({ children }: { children: ReactNode }) {
	const say = useSay();
	const [params, setParams] = useLedgerParams();
	const [{ by }] = useChartParams();
	const { lines, next, unread, isLoaded, sums, people, error, loadMore, loadAll } = useLedger(params, by !== null);
	const { listRef, rowProps } = useRoving();
	const [saving, setSaving] = useState<Plain | null>(null);
	async function save() {
		setSaving('Collecting…');
		const all = await loadAll();
		// The byte order mark makes spreadsheets read the file as UTF-8.
		if (all) saveText('decisions.csv', ['\ufeff', ledgerCsv(all)], 'text/csv');
		setSaving(all ? null : 'The server does not answer. Try again.');
	}
	return (
		<Page
			title={say('Decisions')}
			about={say('Who decided what when, and what came of it.')}
			aside={
				<div className="ml-auto flex flex-wrap items-center justify-end gap-2">
					<LedgerFilters sums={sums} />
					<Button size="small" disabled={saving === 'Collecting…'} onClick={() => void save()}>
						{say(saving ?? 'Save as CSV')}
					</Button>
				</div>
			}
			error={isLoaded ? error : null}
			className="gap-3"
		>
			<div className="scroll-hint max-md:overflow-x-auto max-md:[&_*]:shrink-0 max-md:[&_nav]:flex-nowrap max-md:[&_nav]:whitespace-nowrap">
				{children}
			</div>
			{!isLoaded && <Alert>{error}</Alert>}
			{sums && sums.days.length > 0 && <LedgerCharts sums={sums} people={people} />}
			{unread > 0 && (
				<p role="status" className="text-muted">
					{say('{count} {count:session|sessions} of the archive are still being read.', { count: unread })}
				</p>
			)}
			{!isLoaded && !error && <Skeleton label={say('Decisions are loading')} />}
			{isLoaded && lines.length === 0 && (
				<p role="status" className="text-muted">
					{isNarrowed(params)
						? say('No decision fits.')
						: say('Nothing was decided yet. What a gate denies, and what a person is asked, is listed here.')}
				</p>
			)}
			{lines.length > 0 && (
				<section aria-label={say('Ledger')} className="@container">
					<div className="flex flex-wrap items-center gap-2 pb-1">
						<p className="mr-auto font-semibold">
							{sums
								? say('{count} {count:decision|decisions}, the newest first', { count: sums.count })
								: say('The newest first')}
						</p>
						<Button
							size="small"
							aria-pressed={params.followed !== null}
							onClick={() => void setParams({ followed: params.followed === null ? 'true' : null })}
						>
							{say('What happened next')}
						</Button>
					</div>
					<ul ref={listRef} className="border-line border-t">
						{lines.map((line, index) => (
							<LedgerLine key={keyOf(line)} line={line} rowProps={rowProps(keyOf(line), index === 0)} />
						))}
					</ul>
				</section>
			)}
			{next !== null && (
				<Button className="self-start" onClick={() => void loadMore()}>
					{say('Show older ones')}
				</Button>
			)}
		</Page>
	);
}

const LIST_PAGE = 100;
const CSV_PAGE = 500;
const REFRESH_MS = 10_000;
/** Poll interval (ms) while archives are read for the first time. */
const SOON_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

type SummaryQuery = NonNullable<RequestOf<'GET /api/decisions/summary'>['query']>;

/** The filter in the server's form. `since` is rounded to minutes, so that repeated requests are equal. */
function filterOf({ days, followed: _, ...given }: LedgerParams): SummaryQuery {
	const filter: SummaryQuery = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
	if (days === null) return filter;
	const from = Math.floor((Date.now() - Number(days) * DAY_MS) / 60_000) * 60_000;
	return { ...filter, since: new Date(from).toISOString() };
}

/** Pages of the matching ledger lines, and totals of all of them; with `isSplit`, per day, rule and person. */
function useLedger(params: LedgerParams, isSplit: boolean) {
	const address = JSON.stringify(params);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `address` changes whenever `params` do.
	const query = useMemo(() => filterOf(params), [address]);
	const { followed } = params;
	const pageQuery = useMemo(() => ({ ...query, ...(followed !== null && { followed }) }), [query, followed]);
	const [more, setMore] = useState({ pageQuery, lines: [] as readonly DecisionRecord[], next: null as string | null });
	const [isReading, setReading] = useState(false);
	const everyMs = isReading ? SOON_MS : REFRESH_MS;
	const first = useRoute('GET /api/decisions', { query: { ...pageQuery, limit: LIST_PAGE } }, { everyMs });
	const unread = first.data?.unread ?? 0;
	if (isReading !== unread > 0) setReading(unread > 0);
	const zone = new Date().getTimezoneOffset();
	const summaryBy = (by: LedgerSeriesBy) => ({ query: { ...query, zone, ...(isSplit && { by }) } });
	const sums = useRoute('GET /api/decisions/summary', summaryBy('rule'), { everyMs });
	const people = useRoute('GET /api/decisions/summary', isSplit ? summaryBy('person') : null, { everyMs });
	// The totals do not depend on the split, so keep the last ones while another split loads.
	const [lastSums, setLastSums] = useState({ query, sums: sums.data });
	if (sums.data !== null && sums.data !== lastSums.sums) setLastSums({ query, sums: sums.data });
	const later = more.pageQuery === pageQuery && more.lines.length > 0 ? more : null;
	const lines = unique([...(first.data?.decisions ?? []), ...(later?.lines ?? [])]);
	const next = later ? later.next : (first.data?.next ?? null);

	async function loadMore() {
		if (next === null) return;
		const answer = await callRoute('GET /api/decisions', { query: { ...pageQuery, limit: LIST_PAGE, before: next } });
		if (!answer.ok) return;
		setMore({ pageQuery, lines: [...(later?.lines ?? []), ...answer.data.decisions], next: answer.data.next });
	}

	async function loadAll(): Promise<readonly DecisionRecord[] | null> {
		const all: DecisionRecord[] = [];
		for (let before: string | null | undefined; before !== null; ) {
			const page = { ...pageQuery, limit: CSV_PAGE, ...(before !== undefined && { before }) };
			const answer = await callRoute('GET /api/decisions', { query: page });
			if (!answer.ok) return null;
			all.push(...answer.data.decisions);
			before = answer.data.next;
		}
		return all;
	}

	return {
		lines,
		next,
		unread,
		isLoaded: first.data !== null,
		sums: lastSums.query === query ? lastSums.sums : null,
		people: people.data,
		error: first.error ?? sums.error,
		loadMore,
		loadAll,
	};
}

const keyOf = ({ sessionId, rowKey }: DecisionRecord) => `${sessionId} ${rowKey}`;

/** Removes duplicates: a line decided meanwhile appears again on the first page. */
function unique(lines: readonly DecisionRecord[]): DecisionRecord[] {
	const seen = new Set<string>();
	return lines.filter((line) => !seen.has(keyOf(line)) && seen.add(keyOf(line)));
}

const kinds = {
	denied: 'Denied, did not run',
	overridden: 'Overridden',
	'denied-calls': 'Denied, did not run',
} as const;

const spanWords: Record<(typeof spans)[number], Plain> = {
	...{ '1': 'last 24 hours', '7': 'last 7 days', '30': 'last 30 days', '90': 'last 90 days' },
};

const counted = (
	values: readonly { name: string; count: number }[] | undefined,
	titleOf: (name: string) => string = (name) => name,
) => values?.map(({ name, count }) => ({ value: name, label: `${titleOf(name)} (${count})` })) ?? [];

/** Filters of the ledger. Each option shows the number of matching lines. */
function LedgerFilters({ sums }: { sums: LedgerSummary | null }) {
	const say = useSay();
	const [params, setParams] = useLedgerParams();
	const by = (
		name: Exclude<keyof LedgerParams, 'followed'>,
		label: Plain,
		choices: Filter['choices'],
		titleOf: (value: string) => string = (value) => value,
	): Filter => ({
		...{ label: say(label), value: params[name], choices, titleOf },
		onChoose: (chosen) => void setParams({ [name]: chosen }),
	});
	const kindOf = (kind: string) => say(kinds[kind as keyof typeof kinds]);
	const stateOf = (state: string) => say(stateWords[state as keyof typeof stateWords]);
	const outcomeOf = (outcome: string) => say(outcomeWords[outcome as keyof typeof outcomeWords]);
	const gateOf = (gate: string) => say.known(gateSentence(gate));
	const dayChoices = spans.map((days) => ({ value: days, label: say(spanWords[days]) }));
	const filters = [
		by(
			'kind',
			'type',
			['denied', 'overridden'].map((value) => ({ value, label: kindOf(value) })),
			kindOf,
		),
		by('days', 'time', dayChoices, (days) => dayChoices.find(({ value }) => value === days)?.label ?? days),
		by('state', 'decision', counted(sums?.states, stateOf), stateOf),
		by('outcome', 'outcome', counted(sums?.outcomes, outcomeOf), outcomeOf),
		by('gate', 'gate', counted(sums?.gates, gateOf), gateOf),
		by('rule', 'rule', counted(sums?.rules)),
		by('person', 'person', counted(sums?.people)),
		by('project', 'project', counted(sums?.projects)),
		by('session', 'some sessions only', [], () => ''),
		by('make', 'client', (sums?.makes.length ?? 0) > 1 ? counted(sums?.makes, agentTitle) : [], agentTitle),
	];
	return (
		<fieldset aria-label={say('Filters')} className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
			<FilterControl isAtEnd filters={filters} />
		</fieldset>
	);
}
