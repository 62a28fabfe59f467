import type {
	FeatureAction,
	FeatureDetail,
	FeatureProject,
	FeatureRecord,
	NewFeatureBody,
} from '#lib/contract/features.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { addressPart } from '#lib/text/well-formed.ts';
import { type Answer, post, readText, request } from '../live/api.ts';

const pathOf = (id: string) => `/api/features/${encodeURIComponent(id)}`;

/** Features of all known projects, archived ones among them. */
export function getFeatures(): Promise<Answer<{ features: FeatureRecord[]; projects: FeatureProject[] }>> {
	return request('/api/features');
}

/** One feature with its documents and, of an archived one, what was kept. */
export function getFeature(id: string): Promise<Answer<FeatureDetail>> {
	return request(pathOf(id));
}

/** Kept events of one session of an archived feature after a seq, ascending. */
export function getFeatureEvents(
	id: string,
	sessionId: string,
	range: { after: number; limit: number },
): Promise<Answer<{ events: IndexedEvent[] }>> {
	const query = new URLSearchParams({ after: String(range.after), limit: String(range.limit) });
	return request(`${pathOf(id)}/sessions/${encodeURIComponent(sessionId)}/events?${query}`);
}

/** A kept value that was too large for its event, as text. */
export function getKeptBlob(id: string, sessionId: string, sha: string): Promise<Answer<string>> {
	return request(`${pathOf(id)}/sessions/${encodeURIComponent(sessionId)}/blobs/${sha}`, {}, readText);
}

/** A kept handoff by its file's name, as text. */
export function getKeptHandoff(id: string, sessionId: string, name: string): Promise<Answer<string>> {
	const path = `${pathOf(id)}/sessions/${encodeURIComponent(sessionId)}/handoffs/${addressPart(name)}`;
	return request(path, {}, readText);
}

/** Makes a feature; only an operator may. */
export function createFeature(body: NewFeatureBody): Promise<Answer<{ feature: FeatureRecord }>> {
	return post('/api/features', body);
}

/** Moves a feature; only an operator may. */
export function actOnFeature(id: string, action: FeatureAction): Promise<Answer<{ feature: FeatureRecord }>> {
	return post(pathOf(id), { action });
}
