import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { placeOf } from '#lib/session/session-list.ts';

/** One run that may be chosen; `label` is agent text. */
export interface RunChoice {
	value: string;
	label: string;
}

const MOST = { archives: 200, pairs: 10 } as const;

const newestFirst = (one: FeatureRecord, other: FeatureRecord) =>
	(one.archivedAt ?? '') < (other.archivedAt ?? '') ? 1 : -1;

const archivesOf = (features: readonly FeatureRecord[]) =>
	features.filter(({ state, sessions }) => state === 'archived' && sessions.length > 0).sort(newestFirst);

/** The last two archives of each feature that has more than one, the newest first. */
export function likelyPairs(features: readonly FeatureRecord[]): [FeatureRecord, FeatureRecord][] {
	const byFeature = new Map<string, FeatureRecord[]>();
	for (const archive of archivesOf(features)) {
		const key = `${archive.project}/${archive.name}`;
		byFeature.set(key, [...(byFeature.get(key) ?? []), archive]);
	}
	return [...byFeature.values()]
		.flatMap(([second, first]): [FeatureRecord, FeatureRecord][] => (first && second ? [[first, second]] : []))
		.slice(0, MOST.pairs);
}

/** What may be laid beside the run `other`: archives of the same feature first, then all others, then sessions. */
export function runChoices(
	features: readonly FeatureRecord[],
	sessions: readonly SessionSummary[],
	other: { feature?: string | undefined; id: string } | null,
): RunChoice[] {
	const archives = archivesOf(features);
	const feature = other?.feature ?? archives.find(({ id }) => id === other?.id)?.name;
	const isSame = ({ name }: FeatureRecord) => Number(name === feature);
	const ordered = archives.toSorted((one, next) => isSame(next) - isSame(one) || newestFirst(one, next));
	return [
		...ordered.slice(0, MOST.archives).map(({ id, name, archivedAt, project }) => ({
			value: id,
			label: `${name} · ${archivedAt?.slice(0, 10)} · ${project}`,
		})),
		...sessions.map(({ sessionId, project, branch, title }) => ({
			value: sessionId,
			label: [placeOf(project, branch, sessionId), title].filter(Boolean).join(' · '),
		})),
	];
}
