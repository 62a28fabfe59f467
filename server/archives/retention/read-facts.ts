import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { archivePath, listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { Note } from '#lib/contract/sessions/notes.ts';
import type { ArchiveFacts, RetentionFacts, SessionFacts } from '#lib/retention/plan-retention.ts';
import { type RetentionSettings, readRetention } from '#lib/retention/retention-policy.ts';
import { POLICY_FILE, policyInForce } from '#lib/settings/kept-policy.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { readManifest } from '../features/archive-sync.ts';
import { noteSubject } from '../notes/note-service.ts';
import { leftFiles } from './left-files.ts';

/** What the retention of a home needs to know of it. */
export interface RetentionPorts {
	/** The state root, absolute. */
	home: string;
	journal: Pick<JournalStore, 'append' | 'bySubject'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** Reads what a plan is made from, in steps, so that a server can do other things in between. Files are looked at, not read. */
export function* readFacts({ home, journal, now }: RetentionPorts): Generator<undefined, RetentionFacts> {
	const archives: ArchiveFacts[] = [];
	const sessions = new Map<string, SessionFacts>();
	for (const id of listArchives(home, now())) {
		yield;
		const origin = readOrigin(home, id);
		const manifest = readManifest(home, id);
		if (!origin || !manifest || origin.by || origin.searchDue) continue;
		const { root, feature, archivedAt, imported } = origin;
		archives.push({
			...{ id, feature, root, complete: manifest.complete, bytes: bytesBelow(archivePath(home, id)) },
			// Somebody brought it here: it is as old as that.
			at: imported ? writtenAt(join(archivePath(home, id), 'manifest.json')) : archivedAt,
			labelled: manifest.sessions.some(({ sessionId }) => isLabelled(journal, sessionId)),
		});
		// Sessions of another machine may have the ids of ours.
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
	// Where it cannot be read, it says nothing that can be read either.
	const fromHub = policyInForce(kept === null ? '' : kept, now());
	return {
		...{ now: now(), archives, sessions: [...sessions.values()], home: readRetention(config, undefined, fromHub) },
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

/** Undefined for a config that is not there, null for one that cannot be read. */
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
