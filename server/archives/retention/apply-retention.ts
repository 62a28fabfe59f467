import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { archivePath, listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { findState } from '#hooks-bridge/features/feature-folders.ts';
import { boundFeatures } from '#hooks-bridge/features/feature-sessions.ts';
import type { ManifestSession } from '#lib/contract/archives/features.ts';
import type { KeptBecause, RetentionItem, RetentionKept, RetentionPlan } from '#lib/contract/archives/retention.ts';
import { Note } from '#lib/contract/sessions/session-actions.ts';
import {
	type ArchiveFacts,
	planRetention,
	type RetentionFacts,
	type SessionFacts,
} from '#lib/retention/plan-retention.ts';
import { type RetentionSettings, readRetention } from '#lib/retention/retention-policy.ts';
import { POLICY_FILE, policyInForce } from '#lib/settings/policy-settings.ts';
import { inTurns } from '../../process/in-turns.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { readManifest } from '../features/archive-sync.ts';
import { verifyArchive } from '../features/verify-archive.ts';
import { noteSubject } from '../notes/note-service.ts';
import { finishRemovals, isArchivedWhole, leftFiles, removeItem, type Step } from './remove-item.ts';

/** What removing needs from the machine. */
export type PrunePorts = RetentionPorts & CheckPorts;

interface Pruning {
	/** A person at the command line, or the policy. */
	by: 'command' | 'policy';
	failed: (what: string, error: unknown) => void;
	/** Stops after the current item. */
	stopped?: () => boolean;
	step?: Step;
}

/** What the policies would remove now; files are not compared yet. */
export async function readPlan(ports: RetentionPorts): Promise<RetentionPlan> {
	return planRetention(await inTurns(readFacts(ports)));
}

/** The plan after the comparison: items that differ from their archive stay. */
export async function checkPlan(plan: RetentionPlan, ports: CheckPorts): Promise<RetentionPlan> {
	return workThrough(plan, ports, async () => true);
}

/** Works on each item that equals its archive. The result names those that this was done to, and all others that stay. */
async function workThrough(
	plan: RetentionPlan,
	ports: CheckPorts,
	work: (item: RetentionItem) => Promise<boolean>,
	stopped = () => false,
): Promise<RetentionPlan> {
	const check = createItemCheck(ports);
	const remove: RetentionItem[] = [];
	const kept: RetentionKept[] = [...plan.kept];
	for (const item of plan.remove) {
		if (stopped()) break;
		const { what, id, archive, feature } = item;
		const because = await check(item);
		if (because !== null) kept.push({ what, id, archive, feature, because });
		else if (await work(item)) remove.push(item);
	}
	return { ...plan, remove, kept, bytes: remove.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/**
 * Finishes an earlier run, then removes what the policies name and the comparison allows, each after a row in the journal.
 * Returns what went and what stayed; failures stay.
 */
export async function applyRetention(ports: PrunePorts, pruning: Pruning): Promise<RetentionPlan> {
	const { by, failed, stopped, step = () => undefined } = pruning;
	const { home, journal } = ports;
	await finishRemovals(home, (error) => failed('an earlier removal', error), step);
	const plan = await readPlan(ports);
	const remove = async (item: RetentionItem) => {
		const { what, id, archive, feature, project, bytes, why } = item;
		try {
			const payload = { what, id, archive, feature, project, bytes, why, policy: plan.policy, by: { via: by } };
			const session = what === 'session' && { sessionId: id };
			await journal.append({
				id: randomUUID(),
				kind: 'archive:prune',
				subject: pruneSubject(item),
				...session,
				payload,
			});
			step();
			await removeItem(home, item, step);
			return true;
		} catch (error) {
			failed(`${what} ${id}`, error);
			return false;
		}
	};
	return workThrough(plan, ports, remove, stopped);
}

/** The journal's subject for a removal. */
export const pruneSubject = ({ what, id }: Pick<RetentionItem, 'what' | 'id'>) => `${what}:${id}`;

interface CheckPorts {
	home: string;
	projectRootOf: (folder: string) => string;
}

/**
 * Compares byte by byte with the manifest or archive; returns why an item must stay, or null. An archive is read once for all its
 * sessions.
 */
function createItemCheck({ home, projectRootOf }: CheckPorts) {
	const verified = new Map<string, Promise<string | null>>();

	function verify(id: string): Promise<string | null> {
		const known = verified.get(id) ?? verifyArchive(home, id);
		verified.set(id, known);
		return known;
	}

	async function sessionStays(session: ManifestSession, archive: string): Promise<KeptBecause | null> {
		const path = leftFiles(home, session)?.timeline;
		if (path === undefined) return null;
		const bound = await inTurns(boundFeatures(path));
		const roots = new Set([readOrigin(home, archive)?.root, ...bound.folders.filter(isAbsolute).map(projectRootOf)]);
		const isOpen = (name: string) => [...roots].some((root) => root !== undefined && findState(root, name));
		if ([...bound.names].some(isOpen)) return 'open-feature';
		return (await isArchivedWhole(session, path)) ? null : 'different';
	}

	return async ({ what, id, archive }: RetentionItem): Promise<KeptBecause | null> => {
		if ((await verify(archive)) !== null) return 'damaged';
		if (what === 'archive') return readManifest(home, archive)?.complete ? null : 'unfinished';
		const session = readManifest(home, archive)?.sessions.find(({ sessionId }) => sessionId === id);
		return session ? sessionStays(session, archive) : 'damaged';
	};
}

interface RetentionPorts {
	/** The state root, absolute. */
	home: string;
	journal: Pick<JournalStore, 'append' | 'bySubject'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** Reads the facts of a plan in steps, so that the server can do other things in between. Only file sizes and times are read. */
function* readFacts({ home, journal, now }: RetentionPorts): Generator<undefined, RetentionFacts> {
	const archives: ArchiveFacts[] = [];
	const sessions = new Map<string, SessionFacts>();
	for (const id of listArchives(home, now())) {
		yield;
		const origin = readOrigin(home, id);
		const manifest = readManifest(home, id);
		if (!origin || !manifest || origin.by || origin.searchDue) continue;
		const { root, feature, archivedAt, imported } = origin;
		archives.push({
			id,
			feature,
			root,
			complete: manifest.complete,
			bytes: bytesBelow(archivePath(home, id)),
			// An imported archive is as old as its import.
			at: imported ? writtenAt(join(archivePath(home, id), 'manifest.json')) : archivedAt,
			labelled: manifest.sessions.some(({ sessionId }) => isLabelled(journal, sessionId)),
		});
		// Sessions of another machine may have the same ids as ours.
		if (imported) continue;
		for (const session of manifest.sessions) {
			const { sessionId, ended } = session;
			const left = leftFiles(home, session);
			const known = sessions.get(sessionId);
			if (!left) continue;
			const at = Math.max(left.at, known?.at ?? 0);
			const holders = [...(known?.archives ?? []), id];
			const both = { ended: ended && known?.ended !== false, bytes: Math.max(left.bytes, known?.bytes ?? 0) };
			sessions.set(sessionId, { sessionId, archives: holders, at, ...both });
		}
	}
	const policies = new Map<string, RetentionSettings>();
	const config = textOf(join(home, 'config.json'));
	const kept = textOf(join(home, POLICY_FILE), home);
	// An unreadable policy counts as an invalid one.
	const fromHub = policyInForce(kept === null ? '' : kept, now());
	return {
		now: now(),
		archives,
		sessions: [...sessions.values()],
		home: readRetention(config, undefined, fromHub),
		policyOf(root) {
			const known = policies.get(root);
			const policy =
				known ?? readRetention(config, { root, config: textOf(join(root, '.overtone/config.json'), root) }, fromHub);
			policies.set(root, policy);
			return policy;
		},
		inHub: existsSync(join(home, 'hub.json')),
	};
}

/** Undefined for an absent file, null for an unreadable one. */
function textOf(path: string, root?: string): string | undefined | null {
	const read = readBounded(path, root);
	if (read.ok) return read.text;
	return read.why === 'absent' ? undefined : null;
}

function isLabelled(journal: RetentionPorts['journal'], sessionId: string): boolean {
	return journal
		.bySubject(noteSubject(sessionId))
		.some(({ payload }) => (Note.shape.labels.safeParse(payload.labels).data ?? []).length > 0);
}

function bytesBelow(folder: string): number {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0);
}

const sizeOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
const writtenAt = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
