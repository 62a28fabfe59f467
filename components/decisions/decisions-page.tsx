'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { useChartParams } from './chart-params.ts';
import { LedgerFilters } from './ledger-filters.tsx';
import { LedgerLine } from './ledger-line.tsx';
import { isNarrowed, useLedgerParams } from './ledger-params.ts';
import { saveLedger } from './save-ledger.ts';
import { useLedger } from './use-ledger.ts';

const LedgerCharts = dynamic(() => import('./ledger-charts.tsx').then((module) => module.LedgerCharts));

/** Who decided what when, and what came of it. */
export function DecisionsPage() {
	const say = useSay();
	const [params, setParams] = useLedgerParams();
	const [{ by }] = useChartParams();
	const { lines, next, unread, isLoaded, sums, error, takeMore, takeAll } = useLedger(params, by);
	const { listRef, rowProps } = useRoving();
	const [saving, setSaving] = useState<string | null>(null);
	const isFiltered = isNarrowed(params);
	async function save() {
		setSaving('Collecting…');
		const all = await takeAll();
		if (all) saveLedger(all);
		setSaving(all ? null : 'The server does not answer. Try again.');
	}
	return (
		<div className="mx-auto flex max-w-6xl flex-col gap-3 p-4 pb-8">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<h1 className="font-semibold text-title">{say('Decisions')}</h1>
				<p className="min-w-0 flex-1 text-muted">{say('Who decided what when, and what came of it.')}</p>
				<span role="status" className="text-muted">
					{saving}
				</span>
				<Button size="small" disabled={lines.length === 0 || saving === 'Collecting…'} onClick={() => void save()}>
					{say('Save as CSV')}
				</Button>
			</div>
			<LedgerFilters params={params} sums={sums} onChange={(change) => void setParams(change)} />
			{error && (
				<p role="alert" className="text-warn">
					{say.known(error)} {isLoaded && say('What is shown may be old.')}
				</p>
			)}
			{sums && sums.days.length > 0 && <LedgerCharts sums={sums} onChange={(change) => void setParams(change)} />}
			{unread > 0 && (
				<p role="status" className="text-muted">
					{say('{count} {count:session|sessions} of the archive are still being read.', { count: unread })}
				</p>
			)}
			{!isLoaded && !error && <Skeleton label={say('Decisions are loading')} />}
			{isLoaded && lines.length === 0 && (
				<p role="status" className="text-muted">
					{isFiltered
						? say('No decision fits.')
						: say('Nothing was decided yet. What a gate denies, and what a person is asked, is listed here.')}{' '}
					{isFiltered && (
						<Button kind="quiet" size="small" onClick={() => void setParams(null)}>
							{say('Show all')}
						</Button>
					)}
				</p>
			)}
			{lines.length > 0 && (
				<section aria-label={say('Ledger')}>
					<p className="pb-1 text-muted">
						{sums
							? say('{count} {count:decision|decisions}, the newest first', { count: sums.count })
							: say('The newest first')}
					</p>
					<ul ref={listRef} className="border-line border-t">
						{lines.map((line, at) => (
							<LedgerLine
								key={`${line.sessionId} ${line.rowKey}`}
								line={line}
								rowProps={rowProps(`${line.sessionId} ${line.rowKey}`, at === 0)}
							/>
						))}
					</ul>
				</section>
			)}
			{next !== null && (
				<Button className="self-start" onClick={() => void takeMore()}>
					{say('Show older ones')}
				</Button>
			)}
		</div>
	);
}
