'use client';
import type { FeatureRecord, FeatureState } from '#lib/contract/archives/features.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { MakeFilter } from '../row/agent/make-filter.tsx';
import { useMakeParam } from '../row/agent/use-makes.ts';
import { cn } from '../ui/cn.ts';
import { FilterControl } from '../ui/filter-control.tsx';
import { MayBeOld } from '../ui/may-be-old.tsx';
import { NotYet } from '../ui/not-yet.tsx';
import { ArchiveTable } from './archive-table.tsx';
import { EmptyFeatures } from './empty-features.tsx';
import { FeatureCard } from './feature-card.tsx';
import { fitsFilter, sortFeatures } from './feature-list.ts';
import { useFeatureParams } from './feature-params.ts';
import { NameFilter } from './name-filter.tsx';
import { NewFeatureButton } from './new-feature-button.tsx';
import { useFeatures } from './use-features.ts';

const columns: readonly { state: Exclude<FeatureState, 'archived'>; title: Plain; empty: Plain }[] = [
	{ state: 'in-progress', title: 'In progress', empty: 'Nothing is in progress.' },
	{ state: 'paused', title: 'Paused', empty: 'Nothing is paused.' },
	{ state: 'backlog', title: 'Backlog', empty: 'The backlog is empty.' },
];

/** The board of open features, and those that are archived below it. */
export function FeaturesPage() {
	const say = useSay();
	const { features, projects, error, reload } = useFeatures();
	const [params, setParams] = useFeatureParams();
	const [make] = useMakeParam();
	if (!features) return <NotYet label={say('Features are loading')} error={error} />;
	if (features.length === 0) return <EmptyFeatures projects={projects} onDone={reload} />;
	const { project, workflow, name, sort, down } = params;
	const shown = features.filter((feature) => fitsFilter(feature, { project, workflow, name, make }));
	const archived = sortFeatures(
		shown.filter(({ state }) => state === 'archived'),
		sort,
		down,
	);
	return (
		<div className="flex flex-col gap-4 p-4 pb-8">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<h1 className="font-semibold text-title">{say('Features')}</h1>
				<NameFilter />
				<FilterControl
					filters={[
						{
							label: say('project'),
							value: project,
							choices: choicesOf(features, (feature) => feature.project),
							onChoose: (next) => void setParams({ project: next }),
						},
						{
							label: say('workflow'),
							value: workflow,
							choices: choicesOf(features, (feature) => feature.workflow),
							onChoose: (next) => void setParams({ workflow: next }),
						},
					]}
				/>
				<MakeFilter />
				<span className="ml-auto">
					<NewFeatureButton projects={projects} onDone={reload} />
				</span>
				<MayBeOld error={error} />
			</div>
			<div className="flex flex-col gap-4 md:flex-row">
				{columns.map(({ state, title, empty }) => {
					const mine = shown.filter((feature) => feature.state === state);
					return (
						<section
							key={state}
							aria-label={say(title)}
							className={cn('min-w-0', mine.length > 0 ? 'flex-1' : 'shrink-0')}
						>
							<h2 className="border-line border-b pb-1 font-semibold text-muted text-small uppercase tracking-wide">
								{say(title)} <span className="font-normal">{mine.length}</span>
							</h2>
							{mine.length === 0 && <p className="py-2 text-muted">{say(empty)}</p>}
							<ul>
								{mine.map((feature) => (
									<FeatureCard key={feature.id} feature={feature} onChange={reload} />
								))}
							</ul>
						</section>
					);
				})}
			</div>
			<ArchiveTable
				features={archived}
				sort={sort}
				down={down}
				onSort={(column) => void setParams({ sort: column, down: column === sort ? !down : true })}
			/>
		</div>
	);
}

function choicesOf(features: readonly FeatureRecord[], read: (feature: FeatureRecord) => string | undefined) {
	const values = [...new Set(features.map(read))].filter((value) => value !== undefined).sort();
	return values.map((value) => ({ value, label: value }));
}
