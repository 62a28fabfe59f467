import type { FeatureProject, FeatureRecord } from '#lib/contract/archives/features.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';

/** Features live in folders that others change, so the list is asked for again this often (ms). */
const AGAIN_MS = 5_000;
const askFeatures = () => callRoute('GET /api/features');

interface Features {
	features: FeatureRecord[] | null;
	/** Where a new one may be made. */
	projects: FeatureProject[];
	error: string | null;
	reload: () => void;
}

/** All features, asked for again while the page is in view. What is on screen stays until a new answer comes. */
export function useFeatures(): Features {
	const { data, error, reload } = useAnswer(askFeatures, AGAIN_MS);
	return { features: data?.features ?? null, projects: data?.projects ?? [], error, reload };
}
