import { useRoute } from '../live/use-answer.ts';

/** Features live in folders that others change, so the list is asked for again this often (ms). */
const AGAIN_MS = 5_000;
/** All features, asked for again while the page is in view. What is on screen stays until a new answer comes. */
export function useFeatures() {
	const { data, error, reload } = useRoute('GET /api/features', {}, { everyMs: AGAIN_MS });
	return { features: data?.features ?? null, projects: data?.projects ?? [], error, reload };
}
