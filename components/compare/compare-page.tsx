'use client';
import dynamic from 'next/dynamic';
import { endWords } from '#lib/compare/difference-words.ts';
import type { ComparedRun, Comparison } from '#lib/contract/archives/compare.ts';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { archivesOf, likelyPairs, newestFirst } from '#lib/features/feature-list.ts';
import { english } from '#lib/messages/say.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { endTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useFeatures } from '../features/feature-list.tsx';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { compareAddress, runAddress } from '../row/addresses.ts';
import { Alert, Skeleton } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Part } from '../ui/part.tsx';
import { Select } from '../ui/select.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useCompareParams } from './compare-params.ts';

const ComparisonView = dynamic(() => import('./comparison-view.tsx').then((module) => module.ComparisonView));
const TrendView = dynamic(() => import('./trend-view.tsx').then((module) => module.TrendView));

export function ComparePage() {
	const say = useSay();
	const [{ a, b }] = useCompareParams();
	const { features, error: unlisted } = useFeatures();
	const hasBoth = a !== null && b !== null;
	const { data: found, error, reload } = useRoute('GET /api/compare', hasBoth ? { query: { a, b } } : null);
	return (
		<Page
			title={say('Compare two runs')}
			about={say('Where they first went apart, what differs, and both stories side by side.')}
			className="max-w-6xl"
		>
			<RunChooser features={features ?? []} found={found} />
			<Alert>{unlisted}</Alert>
			{hasBoth && error && (
				<div>
					<Alert>{error}</Alert>
					<Button size="small" onClick={reload}>
						{say('Try again')}
					</Button>
					<p>{say('Choose the two runs above: archives of one feature, or any two sessions.')}</p>
				</div>
			)}
			{hasBoth && !error && !found && <Skeleton label={say('The two runs are being read')} />}
			{found && <ComparisonView found={found} />}
			{features && (!hasBoth || error) && <LikelyPairs features={features} />}
			{features && <TrendView features={features} of={found?.b.workflow} />}
		</Page>
	);
}

function LikelyPairs({ features }: { features: readonly FeatureRecord[] }) {
	const say = useSay();
	const pairs = likelyPairs(features);
	if (pairs.length === 0)
		return (
			<p role="status" className="text-muted">
				{say('No feature is archived twice yet. Any two archives or sessions can be compared; choose them above.')}
			</p>
		);
	return (
		<Part isList title={say('Built more than once')}>
			{pairs.map(([first, second]) => (
				<li key={second.id} className="flex min-h-7 flex-wrap items-center gap-x-3 pointer-coarse:min-h-11">
					<TextLink href={compareAddress(first.id, second.id)} className="font-medium">
						<AgentText>{second.name}</AgentText>
					</TextLink>
					<AgentText className="text-muted">{second.project}</AgentText>
					<span className="text-muted">
						{first.archivedAt?.slice(0, 10)} → {second.archivedAt?.slice(0, 10)}
					</span>
				</li>
			))}
		</Part>
	);
}

const MAX_SESSIONS = 100;

function RunChooser({ features, found }: { features: readonly FeatureRecord[]; found: Comparison | null }) {
	const say = useSay();
	const [params, setParams] = useCompareParams();
	const { data } = useRoute('GET /api/sessions', { query: { limit: MAX_SESSIONS } });
	const [a, b] = [found?.a.id ?? params.a, found?.b.id ?? params.b];
	const chooser = (side: 'a' | 'b', label: string) => {
		const [own, id] = side === 'a' ? [a, b] : [b, a];
		const feature = found?.[side === 'a' ? 'b' : 'a'].feature;
		const all = runChoices(features, data?.sessions ?? [], id === null ? null : { id, feature }, say);
		const isListed = own === null || all.some(({ value }) => value === own);
		const listed = isListed ? all : [{ value: own, label: own }, ...all];
		return (
			<section aria-label={label} className="flex min-w-0 flex-1 flex-col gap-1">
				<Select
					isNamed
					label={label}
					value={own ?? ''}
					choices={[{ value: '', label: say('choose a run') }, ...listed]}
					onChoose={(next) => next !== '' && void setParams({ [side]: next })}
					className="max-w-full"
				/>
				{found && <RunSummary run={found[side]} />}
			</section>
		);
	};
	return (
		<div className="relative flex items-start gap-x-4 gap-y-2 max-sm:flex-col max-sm:items-stretch">
			{chooser('a', say('First run'))}
			<Button
				size="small"
				className="max-sm:absolute max-sm:-top-5 max-sm:right-0 sm:mt-6.5"
				disabled={a === null || b === null}
				onClick={() => a !== null && b !== null && void setParams({ a: b, b: a })}
			>
				<span aria-hidden>⇄</span> {say('Swap')}
			</Button>
			{chooser('b', say('Second run'))}
		</div>
	);
}

function RunSummary({ run }: { run: ComparedRun }) {
	const say = useSay();
	const { workflow, from, workMs, idleMs, isCut } = run;
	return (
		<>
			<p className="flex items-baseline gap-3 text-muted">
				<span className="min-w-0">
					<AgentText>{workflow ?? ''}</AgentText> {endWords(run, say)}
					<span className="max-sm:hidden">
						{from && <> · {say('began {time}', { time: endTime(from, Date.now(), say.language) })}</>}
						{idleMs > 0 && <> · {say('{time} idle', { time: spanDuration(idleMs, say.language) })}</>}
					</span>{' '}
					· {say('{time} of work', { time: spanDuration(workMs, say.language) })}
				</span>
				<TextLink href={runAddress(run)} className="ml-auto shrink-0">
					{say('Open')}
				</TextLink>
			</p>
			{isCut && (
				<p className="text-warn">▲ {say('It is longer than what is compared: all of this is of its first part.')}</p>
			)}
		</>
	);
}

const MAX_ARCHIVES = 200;

/** Runs that can be compared with `other`: archives of the same feature first, then other archives, then sessions. */
export function runChoices(
	features: readonly FeatureRecord[],
	sessions: readonly SessionSummary[],
	other: { feature?: string | undefined; id: string } | null,
	say = english,
): { value: string; label: string }[] {
	const archives = archivesOf(features);
	const feature = other?.feature ?? archives.find(({ id }) => id === other?.id)?.name;
	const isSame = ({ name }: FeatureRecord) => Number(name === feature);
	const ordered = archives.toSorted((one, next) => isSame(next) - isSame(one) || newestFirst(one, next));
	return [
		...ordered.slice(0, MAX_ARCHIVES).map(({ id, name, archivedAt, project }) => ({
			value: id,
			label: `${name} · ${say('archived {day}', { day: archivedAt?.slice(0, 10) ?? '' })} · ${project}`,
		})),
		...sessions.map(({ sessionId, project, branch, title }) => ({
			value: sessionId,
			label: [locationWords(project, branch, sessionId), title].filter(Boolean).join(' · '),
		})),
	];
}
