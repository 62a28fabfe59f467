'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { PageLink, TextLink } from '#components/ui/text-link.tsx';
import type { FeatureDetail, FeatureRecord, FeatureText } from '#lib/contract/archives/features.ts';
import type { UsageTotals } from '#lib/contract/events/usage.ts';
import { workMs } from '#lib/features/feature-work.ts';
import type { Plain } from '#lib/messages/say.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { LedgerCount } from '../decisions/ledger-figures.tsx';
import { useSay } from '../language/use-say.ts';
import { useMayDecide } from '../live/hub.tsx';
import { useRoute } from '../live/use-answer.ts';
import { compareAddress, featureAddress } from '../row/addresses.ts';
import { Skeleton, StaleNote } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { PageMessage } from '../ui/page.tsx';
import { NarrowFold } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { LazyMarkdown } from '../ui/text/lazy-markdown.tsx';
import { VerdictText } from '../ui/text/verdict-text.tsx';
import { FeatureActions } from './feature-actions.tsx';

/** Poll interval (ms) for open features, and for archives that are still being copied. */
const REFRESH_MS = 5_000;

const LiveFeature = dynamic(() => import('./live-feature.tsx').then((module) => module.LiveFeature));
const HubLacks = dynamic(() => import('./hub-lacks.tsx').then((module) => module.MissingAtHub));
const ReplayPage = dynamic(() => import('../replay/replay-page.tsx').then((module) => module.ReplayPage));

/**
 * Documents of a feature, and its live or recorded sessions. If it is archived meanwhile, the page stays and shows the recording.
 */
export function FeaturePage({ featureId }: { featureId: string }) {
	const say = useSay();
	const [isRecorded, setRecorded] = useState(false);
	const everyMs = isRecorded ? undefined : REFRESH_MS;
	const { data: detail, error, reload } = useRoute('GET /api/features/:id', { params: { id: featureId } }, { everyMs });
	const id = detail?.feature.id;
	// The feature was archived: change the URL to the archive, without leaving the page.
	useEffect(() => {
		if (id !== undefined && id !== featureId) history.replaceState(null, '', featureAddress(id));
	}, [id, featureId]);
	// The first manifest lists the sessions before any of them has been copied.
	const hasTimelines = detail?.manifest?.sessions.some(({ timelines }) => timelines.length > 0) ?? false;
	useEffect(() => setRecorded(hasTimelines), [hasTimelines]);
	if (!detail && error === null) return <Skeleton label={say('The feature is loading')} />;
	if (!detail)
		return (
			<PageMessage title={say('This feature cannot be shown')} href="/features" link={say('All features')}>
				<p className="text-muted">
					{say('{message} It may have been moved or archived since; then it has another address.', {
						message: say.known(error ?? ''),
					})}
				</p>
			</PageMessage>
		);
	const { feature, removedAt } = detail;
	const notices = [
		detail.imported &&
			say(
				'Imported from a file: what people decided in it is as the file tells it. Its digests fit, which shows that the file is whole, not who wrote it; the journal that proves a decision is in the home that it came from. So decisions show as unverified.',
			),
		removedAt !== undefined &&
			say('The retention removed its recording on {day}; the documents stay.', { day: removedAt.slice(0, 10) }),
	];
	return (
		<div className="flex flex-col xl:h-full">
			<FeatureHeader feature={feature} onChange={reload} />
			<StaleNote error={error} className="border-line border-b px-4 py-1" />
			{notices.map(
				(notice) =>
					notice && (
						<p key={notice} className="border-line border-b px-4 py-1 text-muted">
							{notice}
						</p>
					),
			)}
			{detail.hub && <HubLacks {...detail.hub} />}
			{feature.state === 'archived' ? (
				<div className="flex min-h-0 flex-1 flex-col xl:flex-row">
					<FeatureDocuments
						detail={detail}
						className="max-h-72 border-line border-b xl:max-h-none xl:w-64 xl:border-r xl:border-b-0"
					/>
					<div className="order-first flex min-w-0 flex-1 flex-col xl:order-none xl:min-h-0">
						{/* The key changes when the recording appears, so that failed requests are sent again. */}
						<ReplayPage key={`${isRecorded}`} detail={detail} />
					</div>
				</div>
			) : (
				<LiveFeature detail={detail} documents={<FeatureDocuments detail={detail} className="xl:px-4" />} />
			)}
		</div>
	);
}

const order = ['proposal.md', 'prd.md', 'plan.md', 'design.md', 'bdd.md', 'tasks.md'];
const documentPath = ({ name }: FeatureText) =>
	order.includes(name.toLowerCase()) ? order.indexOf(name.toLowerCase()) : order.length;

/** Documents, handoffs and sessions of a feature. All are agent text; Markdown is rendered. */
function FeatureDocuments({ detail, className }: { detail: FeatureDetail; className: string }) {
	const say = useSay();
	const { documents, handoffs, feature } = detail;
	const sorted = [...documents].sort((a, b) => documentPath(a) - documentPath(b));
	return (
		<section
			aria-label={say('Documents')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
			tabIndex={0}
			className={cn('shrink-0 overflow-y-auto p-3', className)}
		>
			<h2 className="pb-1 font-semibold">{say('Documents')}</h2>
			{sorted.length === 0 && <p className="text-muted">{say('The folder holds no documents.')}</p>}
			{sorted.map((text, index) => (
				<Document key={text.name} text={text} isOpen={index === 0} />
			))}
			{handoffs.length > 0 && (
				<>
					<h2 className="pt-4 pb-1 font-semibold">{say('Handoffs')}</h2>
					{handoffs.map((text) => (
						<Document
							key={`${text.sessionId} ${text.name}`}
							text={text}
							from={feature.sessions.length > 1 ? text.sessionId : undefined}
							isOpen={false}
						/>
					))}
				</>
			)}
		</section>
	);
}

function Document({ text, from, isOpen }: { text: FeatureText; from?: string | undefined; isOpen: boolean }) {
	const say = useSay();
	return (
		<details open={isOpen} className="border-line border-t">
			<summary className="min-h-7 hover:text-accent pointer-coarse:min-h-10">
				<AgentText>{text.name}</AgentText>
				{from && <AgentText className="truncate font-mono text-mono text-muted">{from}</AgentText>}
			</summary>
			<div className="pb-2 [&_li]:max-w-3xl [&_p]:max-w-3xl">
				{/\.(?:md|markdown)$/i.test(text.name) ? (
					<LazyMarkdown>{text.text}</LazyMarkdown>
				) : (
					<VerdictText block>{text.text}</VerdictText>
				)}
			</div>
			{text.cut && (
				<p className="pb-2 text-warn">
					{text.text === '' ? say('It could not be read.') : say('It is longer than what is shown here.')}
				</p>
			)}
		</details>
	);
}

const stateWords = {
	'in-progress': 'In progress',
	paused: 'Paused',
	backlog: 'Backlog',
	archived: 'Archived',
} as const;

type Figures = readonly (readonly [label: Plain, value: ReactNode])[];

function FeatureHeader({ feature, onChange }: { feature: FeatureRecord; onChange: () => void }) {
	const say = useSay();
	const { name, project, workflow, state, tasks, archivedAt, outcome, sessions, usage, machine } = feature;
	// Exports and comparisons are available only on machines, not on hubs.
	const canExport = state === 'archived' && sessions.length > 0 && machine === undefined;
	const mayAct = useMayDecide();
	const [isExporting, setExporting] = useState(false);
	const noteId = useId();
	const usageFigures = (totals: UsageTotals): Figures => [
		['tokens', tokenNumber(tokensOf(totals))],
		['cost', costOfAll(totals) ?? say('no price known')],
	];
	const facts: Figures = [
		['tasks', state === 'archived' && tasks.total > 0 && say('{done} of {total}', tasks)],
		...(usage ? usageFigures(usage) : []),
	];
	const decided = (kind: 'denied-calls' | 'overridden', count = 0) =>
		count > 0 && <LedgerCount count={count} kind={kind} spans={outcome?.spans} />;
	const counted: Figures | undefined = outcome && [
		['duration', sessions.length > 0 && spanDuration(workMs(outcome), say.language)],
		['idle', outcome.idleMs && spanDuration(outcome.idleMs, say.language)],
		['retries', outcome.retries],
		['passed first time', outcome.passAt1 !== null && `${Math.round(outcome.passAt1 * 100)} %`],
		['no verdict', outcome.unclear],
		['denials', decided('denied-calls', outcome.denials)],
		['overrides', decided('overridden', outcome.overrides)],
		...(outcome.usage ? usageFigures(outcome.usage) : []),
	];
	return (
		<header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2">
			<PageLink
				href="/features"
				className="inline-flex min-h-6 items-center gap-1 text-muted hover:text-text pointer-coarse:min-h-10"
			>
				<span aria-hidden>‹</span>
				{say('Features')}
			</PageLink>
			<h1 className="min-w-0 truncate font-semibold text-page max-md:text-title">
				<AgentText>{name}</AgentText>
			</h1>
			<span>
				{say(stateWords[state])}
				{archivedAt && <span className="text-muted"> {archivedAt.slice(0, 10)}</span>}
			</span>
			<AgentText className={cn('mr-auto text-muted', state === 'archived' && 'max-md:hidden')}>
				{[project, machine?.name, workflow].filter(Boolean).join(' · ')}
			</AgentText>
			{state !== 'archived' && <FigureList figures={facts} />}
			{state === 'archived' && (
				<NarrowFold title={say('Outcome')} className="order-last md:basis-full">
					<div className="flex flex-wrap items-start gap-x-6 gap-y-1">
						<FigureList figures={facts} />
						{counted && (
							<section aria-label={say('Outcome')} aria-describedby={sessions.length > 0 ? noteId : undefined}>
								<FigureList figures={counted} />
								{sessions.length > 0 && (
									<p id={noteId} className="sr-only">
										{say('counted from when each session took it up until it was archived')}
									</p>
								)}
							</section>
						)}
						{canExport && (
							<>
								<TextLink href={compareAddress('previous', feature.id)} className="md:ml-auto">
									{say('Compare with the archive before')}
								</TextLink>
								<Button size="small" onClick={() => setExporting(true)}>
									{say('Export')}
								</Button>
							</>
						)}
					</div>
				</NarrowFold>
			)}
			{isExporting && <ExportArchive feature={feature} onClose={() => setExporting(false)} />}
			{mayAct && state !== 'archived' && <FeatureActions feature={feature} onDone={onChange} />}
		</header>
	);
}

/** Without those that are nothing. */
function FigureList({ figures }: { figures: Figures }) {
	const say = useSay();
	return (
		<dl className="flex flex-wrap gap-x-6 gap-y-1">
			{figures
				.filter(([, value]) => value)
				.map(([label, value]) => (
					<div key={label}>
						<dt className="text-muted text-small">{say(label)}</dt>
						<dd className="font-medium tabular-nums [&>a]:justify-start">{value}</dd>
					</div>
				))}
		</dl>
	);
}

const ExportArchive = dynamic(() => import('./export-archive.tsx').then((module) => module.ExportArchive));
