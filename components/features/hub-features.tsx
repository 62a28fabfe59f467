import { usePlaceFilters } from '../home/sessions/place-filter.tsx';
import { useSessionListParams } from '../home/sessions/session-list-params.ts';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { useClientFilter } from '../row/client.tsx';
import { AnswerPending, StaleNote } from '../ui/answer-state.tsx';
import { FilterControl } from '../ui/filter-control.tsx';
import { ArchiveTable } from './archive-table.tsx';
import { fitsFilter, NameFilter, useFeatureParams } from './feature-list.tsx';

/** Machines archive while the page is open; the hub gives at most 500 lines (ms). */
const AGAIN_MS = 15_000;

export function HubFeatures() {
	const say = useSay();
	const [{ team, machine, project }] = useSessionListParams();
	const query = { team: team ?? undefined, machine: machine ?? undefined, project: project ?? undefined };
	const { data, error } = useRoute('GET /api/features', { query }, { everyMs: AGAIN_MS });
	const [{ name, workflow }] = useFeatureParams();
	const clientFilter = useClientFilter();
	const placeFilters = usePlaceFilters(true);
	const client = clientFilter.value;
	const shown = data?.features.filter((feature) =>
		fitsFilter(feature, { project: null, workflow, name, make: client }),
	);
	return (
		<div className="flex flex-col gap-4 p-4 pb-8">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<h1 className="font-semibold text-title">{say('Features')}</h1>
				<NameFilter />
				<FilterControl filters={[clientFilter, ...placeFilters]} />
			</div>
			{data ? <StaleNote error={error} /> : <AnswerPending label={say('Features are loading')} error={error} />}
			{shown && <ArchiveTable features={shown} />}
			{data?.more && (
				<p className="text-muted">
					{say('These are the newest. Choose a team, a machine or a project to see older ones.')}
				</p>
			)}
			<p className="max-w-prose text-muted">
				{say(
					'Each machine sends what it has archived in the projects that it shares. Features that are still open are on the machine’s own page.',
				)}
			</p>
		</div>
	);
}
