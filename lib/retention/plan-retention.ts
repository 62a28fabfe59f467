import type { RetentionItem, RetentionKept, RetentionPlan } from '../contract/archives/retention.ts';
import { defined } from '../json/json.ts';
import type { RetentionSettings } from './retention-policy.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1_000_000;
/** Files written in the last hour are never removed. */
const QUIET_MS = 60 * 60 * 1000;

/** What a home knows about one archive. Times are ms since the epoch, sizes bytes on disk. */
export interface ArchiveFacts {
	id: string;
	feature: string;
	root: string;
	/** When it was created here. */
	at: number;
	bytes: number;
	/** Every session of it has ended and is archived completely. */
	complete: boolean;
	labelled: boolean;
}

/** The files that a home still has of a session in archives of this home. */
export interface SessionFacts {
	sessionId: string;
	/** The archives that contain it. */
	archives: readonly string[];
	/** Time of the last write. */
	at: number;
	bytes: number;
	ended: boolean;
}

export interface RetentionFacts {
	now: number;
	archives: readonly ArchiveFacts[];
	sessions: readonly SessionFacts[];
	/** The policy of the home, and of projects by folder. */
	home: RetentionSettings;
	policyOf: (root: string) => RetentionSettings;
	/** Joined to a hub: how much of a timeline the hub has is unknown here. */
	inHub: boolean;
}

/** What the policies remove, oldest first, and what stays although named. A session goes only if an archive that stays has it. */
export function planRetention(facts: RetentionFacts): RetentionPlan {
	const kept: RetentionKept[] = [];
	const gone = archivesToGo(facts, kept);
	const staying = new Map(facts.archives.filter(({ id }) => !gone.has(id)).map((archive) => [archive.id, archive]));
	const remove = [...gone.values(), ...sessionsToGo(facts, staying, kept)];
	const { sessionDays, archiveDays, archiveMegabytes, keepLabelled, automatic } = facts.home;
	const roots = new Set(facts.archives.map(({ root }) => root));
	const problems = new Set([...facts.home.problems, ...[...roots].flatMap((root) => facts.policyOf(root).problems)]);
	return {
		policy: {
			...defined({ sessionDays, archiveDays, archiveMegabytes }),
			keepLabelled,
			automatic,
		},
		problems: [...problems],
		remove,
		bytes: remove.reduce((sum, { bytes }) => sum + bytes, 0),
		kept,
	};
}

function archivesToGo(facts: RetentionFacts, kept: RetentionKept[]): Map<string, RetentionItem> {
	const { now, home, policyOf } = facts;
	const gone = new Map<string, RetentionItem>();
	const considered = new Set<string>();
	const oldest = facts.archives.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));

	/** Plans its removal unless something protects it. Returns whether it goes. */
	function addRemoval(archive: ArchiveFacts, why: RetentionItem['why']): boolean {
		const { id, feature, root, bytes } = archive;
		if (gone.has(id)) return true;
		const reasonToKeep = protectedBy(archive);
		if (reasonToKeep === null) gone.set(id, { what: 'archive', id, archive: id, feature, project: root, bytes, why });
		else if (reasonToKeep !== 'unread' && !considered.has(id))
			kept.push({ what: 'archive', id, archive: id, feature, because: reasonToKeep });
		considered.add(id);
		return reasonToKeep === null;
	}

	function protectedBy({ root, labelled, complete, at }: ArchiveFacts) {
		const { keepLabelled, problems, leastDays } = policyOf(root);
		if (problems.length > 0) return 'unread';
		if (labelled && keepLabelled) return 'labelled';
		if (leastDays !== undefined && now - at <= leastDays * DAY_MS) return 'hub-policy';
		return complete && now - at >= QUIET_MS ? null : 'unfinished';
	}

	for (const archive of oldest) {
		const { archiveDays } = policyOf(archive.root);
		if (archiveDays !== undefined && now - archive.at > archiveDays * DAY_MS) addRemoval(archive, 'age');
	}
	const bounds = new Map(oldest.map(({ root }) => [root, policyOf(root).archiveMegabytes]));
	for (const [root, bound] of [...bounds, [null, home.archiveMegabytes] as const]) {
		if (bound === undefined) continue;
		const inProject = oldest.filter((archive) => root === null || archive.root === root);
		let bytesLeft = inProject.reduce((sum, { id, bytes }) => sum + (gone.has(id) ? 0 : bytes), 0);
		for (const archive of inProject) {
			if (bytesLeft <= bound * MEGABYTE) break;
			if (!gone.has(archive.id) && addRemoval(archive, 'size')) bytesLeft -= archive.bytes;
		}
	}
	return gone;
}

function* sessionsToGo(
	{ now, sessions, policyOf, inHub }: RetentionFacts,
	staying: ReadonlyMap<string, ArchiveFacts>,
	kept: RetentionKept[],
): Generator<RetentionItem> {
	for (const { sessionId, archives, at, bytes, ended } of sessions.toSorted((one, other) => one.at - other.at)) {
		const holders = archives.flatMap((id) => staying.get(id) ?? []);
		const [first] = holders;
		if (!first) continue;
		const days = holders.map(({ root }) => policyOf(root).sessionDays ?? Number.POSITIVE_INFINITY);
		if (now - at <= Math.max(...days) * DAY_MS || now - at < QUIET_MS) continue;
		const item = { what: 'session', id: sessionId, archive: first.id, feature: first.feature } as const;
		if (inHub || !ended) kept.push({ ...item, because: inHub ? 'hub' : 'unfinished' });
		else yield { ...item, project: first.root, bytes, why: 'age' };
	}
}
