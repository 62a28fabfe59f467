import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { sortColumns } from '#lib/features/feature-list.ts';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { TextField } from '../ui/text-field.tsx';

export function NameFilter() {
	const say = useSay();
	const [{ name }, setParams] = useFeatureParams();
	return (
		<TextField
			isBare
			type="search"
			label={say('Find a feature')}
			placeholder={say('Find a feature')}
			value={name ?? ''}
			onWrite={(part) => void setParams({ name: part || null })}
			className="w-44 md:w-40"
		/>
	);
}

const parsers = {
	project: parseAsString,
	workflow: parseAsString,
	name: parseAsString,
	sort: parseAsStringLiteral(sortColumns).withDefault('date'),
	down: parseAsBoolean.withDefault(true),
};

export const useFeatureParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });

/** Poll interval (ms), because other programs change the feature folders. */
const REFRESH_MS = 5_000;
/** Null until the first answer; read again every few seconds. */
export function useFeatures() {
	const { data, error, reload } = useRoute('GET /api/features', {}, { everyMs: REFRESH_MS });
	return { features: data?.features ?? null, projects: data?.projects ?? [], error, reload };
}

/** While a stage runs, that an earlier one passed is no news. */
export function withoutPassed(session: SessionSummary): SessionSummary {
	const isRunning = session.stages.some(({ state }) => state === 'active');
	const isPassed = ({ by, tone }: SessionSummary['judgements'][number]) => by === 'stage' && tone === 'ok';
	return isRunning ? { ...session, judgements: session.judgements.filter((one) => !isPassed(one)) } : session;
}
