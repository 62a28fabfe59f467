import { fitsFilter } from '#lib/features/feature-list.ts';
import { usePlaces, useSessionListParams } from '../home/sessions/place-filter.tsx';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { useClientFilter } from '../row/client.tsx';
import { AnswerPending } from '../ui/answer-state.tsx';
import { FilterControl } from '../ui/filter-control.tsx';
import { Page } from '../ui/page.tsx';
import { ArchiveTable } from './archive-table.tsx';
import { NameFilter, useFeatureParams } from './feature-list.tsx';

/** Poll interval (ms), because machines archive features while the page is open. */
const REFRESH_MS = 15_000;

export function HubFeatures() {
	const say = useSay();
	const [{ team, machine, project }] = useSessionListParams();
	const query = { team: team ?? undefined, machine: machine ?? undefined, project: project ?? undefined };
	const { data, error } = useRoute('GET /api/features', { query }, { everyMs: REFRESH_MS });
	const [{ name, workflow }] = useFeatureParams();
	const clientFilter = useClientFilter();
	const placeFilters = usePlaces(true).filters;
	const filter = { project: null, workflow, name, make: clientFilter.value };
	const shown = data?.features.filter((feature) => fitsFilter(feature, filter));
	return (
		<Page
			title={say('Features')}
			aside={
				<>
					<NameFilter />
					<FilterControl filters={[clientFilter, ...placeFilters]} />
				</>
			}
			error={data && error}
			className="max-w-none"
		>
			{shown ? <ArchiveTable features={shown} /> : <AnswerPending label={say('Features are loading')} error={error} />}
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
		</Page>
	);
}
