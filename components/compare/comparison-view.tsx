import Link from 'next/link';
import { endWords } from '#lib/compare/difference-words.ts';
import type { ComparedRun, Comparison } from '#lib/contract/archives/compare.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { runAddress } from '../row/run-address.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { AlignedStories } from './aligned-stories.tsx';
import type { useCompareParams } from './compare-params.ts';
import { CostLine } from './cost-line.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { DivergenceList } from './divergence-list.tsx';
import { StageMirror } from './stage-mirror.tsx';

type Params = ReturnType<typeof useCompareParams>[0];

interface ComparisonViewProps {
	found: Comparison;
	params: Pick<Params, 'sort' | 'equal'>;
	onChange: (change: Partial<Pick<Params, 'sort' | 'equal'>>) => void;
}

/** Two runs: where they went apart on top, then their stages, their numbers, their stories. */
export function ComparisonView({ found, params, onChange }: ComparisonViewProps) {
	const say = useSay();
	return (
		<>
			<DivergenceList found={found} />
			<CostLine found={found} />
			<div className="grid gap-2 sm:grid-cols-2">
				<RunHead label={say('First run')} run={found.a} />
				<RunHead label={say('Second run')} run={found.b} />
			</div>
			<StageMirror found={found} />
			<DifferenceTable
				differences={found.differences}
				sort={params.sort}
				isEqualShown={params.equal}
				onSort={(sort) => onChange({ sort })}
				onShowEqual={(equal) => onChange({ equal })}
			/>
			<AlignedStories found={found} />
		</>
	);
}

function RunHead({ label, run }: { label: string; run: ComparedRun }) {
	const say = useSay();
	const { id, title, project, workflow, from, workMs, idleMs, events, isCut } = run;
	return (
		<section aria-label={label} className="rounded border border-line px-3 py-2">
			<h2 className="text-muted text-small">{label}</h2>
			<Link href={runAddress(run)} prefetch={false} className="inline-flex min-h-6 items-center font-medium underline">
				<AgentText className="[overflow-wrap:anywhere]">{title || id}</AgentText>
			</Link>
			<p className="text-muted">
				<AgentText>{[project, workflow].filter(Boolean).join(' · ')}</AgentText> {endWords(run, say)}
			</p>
			<p className="text-muted">
				{from && dayAndTime(from)} · {say('{time} of work', { time: spanDuration(workMs, say.language) })}
				{idleMs > 0 && <> · {say('{time} idle', { time: spanDuration(idleMs, say.language) })}</>} ·{' '}
				{say('{count} {count:event|events}', { count: events })}
			</p>
			{isCut && (
				<p className="text-warn">▲ {say('It is longer than what is compared: all of this is of its first part.')}</p>
			)}
		</section>
	);
}
