import { FeatureSheet } from '#lib/contract/archives/features.ts';
import type { Ask } from '../database/database.ts';

/** Archived features that a hub keeps of one machine. */
const MOST_FEATURES = 10_000;
const DAY_MS = 86_400_000;

/** A feature as its machine has told it. */
export interface ToldFeature {
	edge: number;
	/** Of the connection that brings it: an older one writes nothing any more. */
	connEpoch: number;
	digest: string;
	/** The text of the digest, and what it says. */
	text: string;
	sheet: FeatureSheet;
	/** All of its files that its machine still has are in the object store. */
	stored: boolean;
}

/** What a hub's database has of archived features. */
export interface FeatureStore {
	/** Of these, those that are kept as these digests tell them; with `stored` only those whose files are in the store. */
	kept(
		edge: number,
		told: readonly { id: string; sheet: string }[],
		stored: boolean,
	): Promise<{ id: string; sheet: string }[]>;
	/** Those of the digests whose files are not in the store. */
	missing(edge: number, feature: string, digests: readonly string[]): Promise<string[]>;
	/** The store has it; null: the machine has it no more. */
	noteFile(edge: number, feature: string, digest: string, bytes: number | null): Promise<void>;
	/** On the disk when it resolves. False where the machine has too many, or another connection by now. */
	keep(told: ToldFeature): Promise<boolean>;
}

/** Over a hub's database; `now` is in ms. */
export const createFeatureStore = (ask: Ask, now: () => number): FeatureStore => ({
	kept: (edge, told, stored) =>
		ask<{ id: string; sheet: string }>(
			`SELECT f.id, f.digest AS sheet FROM features f JOIN unnest($2::text[], $3::text[]) AS t(id, digest) USING (id, digest)
			WHERE f.edge = $1 AND (f.stored OR f.record IS NULL OR NOT $4)`,
			[edge, told.map(({ id }) => id), told.map(({ sheet }) => sheet), stored],
		),
	async missing(edge, feature, digests) {
		const there = await ask<{ digest: string }>(
			'SELECT digest FROM feature_files WHERE edge = $1 AND feature = $2 AND bytes IS NOT NULL AND digest = ANY ($3)',
			[edge, feature, digests],
		);
		const known = new Set(there.map(({ digest }) => digest));
		return [...new Set(digests)].filter((digest) => !known.has(digest));
	},
	async noteFile(edge, feature, digest, bytes) {
		await ask(
			`INSERT INTO feature_files (edge, feature, digest, bytes) VALUES ($1, $2, $3, $4)
			ON CONFLICT (edge, feature, digest) DO UPDATE SET bytes = excluded.bytes`,
			[edge, feature, digest, bytes],
		);
	},
	async keep({ edge, connEpoch, digest, text, sheet, stored }) {
		const { feature, manifest } = sheet;
		// A machine's clock may say anything; a date that no list could hold is none.
		const at = Math.min(Math.max(0, Date.parse(manifest.archivedAt)), now() + DAY_MS);
		const kept = await ask(
			`INSERT INTO features (edge, id, team, project, archived_at, sessions, record, sheet, digest, stored)
			SELECT e.id, $2, e.team, $3, $4, $5, $6, $7, $8, $9 FROM edges e WHERE e.id = $1 AND e.conn_epoch = $10
			AND (SELECT count(*) FROM features f WHERE f.edge = $1 AND f.id <> $2) < ${MOST_FEATURES}
			ON CONFLICT (edge, id) DO UPDATE SET project = excluded.project, archived_at = excluded.archived_at,
			sessions = excluded.sessions, record = excluded.record, sheet = excluded.sheet, digest = excluded.digest,
			stored = excluded.stored, updated = now() RETURNING id`,
			[
				...[edge, feature.id, feature.project.replaceAll('\0', ''), new Date(at).toISOString(), feature.sessions],
				...[JSON.stringify(lineOf(feature)), text, digest, stored, connEpoch],
			],
		);
		return kept.length > 0;
	},
});

/** As the list has it: decisions are not asked for by parts of sessions at a hub. */
function lineOf({ outcome, ...feature }: FeatureSheet['feature']) {
	return { ...feature, ...(outcome && { outcome: { ...outcome, spans: undefined } }) };
}

/** What a machine says of the feature `id`; else, in words for a log, why it cannot be taken. */
export function readSheet(id: string, text: string): FeatureSheet | string {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return 'a sheet that is not JSON';
	}
	const sheet = FeatureSheet.safeParse(value);
	if (sheet.success) return sheet.data.feature.id === id ? sheet.data : 'the sheet of another feature';
	const issue = sheet.error.issues[0];
	return `a sheet: ${issue?.path.join('.')}: ${issue?.message}`.slice(0, 100);
}
