import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { syncArchive } from '../archives/features/archive-sync.ts';
import { verifyExport } from '../archives/features/verify-export.ts';
import { openChain } from '../timeline/store/journal-links.ts';
import { openJournalSigner } from '../timeline/store/journal-signer.ts';
import type { JournalKind } from '../timeline/store/journal-store.ts';
import { openSqlite } from '../timeline/store/sqlite-file.ts';
import { demoFile, RECORDED_HOME } from './demo-hooks.ts';

/** The time from the end of a feature's work until it is archived. */
const ARCHIVED_AFTER_MS = 60_000;
const TIME = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;

/** A line of a recorded timeline. */
export type RecordedLine = { id: string; ts: string; sessionId: string; type: string } & Record<string, unknown>;

/** What the demo shows beside its real session, by session id and by document name. */
export interface DemoRecording {
	past: ReadonlyMap<string, readonly RecordedLine[]>;
	live: ReadonlyMap<string, readonly RecordedLine[]>;
	documents: ReadonlyMap<string, string>;
	/** When the demo starts, in ms since the epoch. */
	start: number;
}

/**
 * Reads the recording as if it had been made below `folder` and the demo started at `start` (ms). Lines before `start` are
 * written at once; later ones are played.
 */
export async function readDemoRecording(folder: string, start: number): Promise<DemoRecording> {
	const recorded = new Map<string, Buffer[]>();
	const documents = new Map<string, string>();
	let recordedStart = start;
	const check = await verifyExport(demoFile('demo.signalbox.gz'), async (line) => {
		if ('manifest' in line) recordedStart = Date.parse(line.manifest.archivedAt);
		else if ('timeline' in line) {
			const { sessionId, data } = line.timeline;
			recorded.set(sessionId, [...(recorded.get(sessionId) ?? []), Buffer.from(data, 'base64')]);
		} else if ('document' in line)
			documents.set(line.document.name, moveTimes(Buffer.from(line.document.data, 'base64').toString('utf8')));
	});
	if (!check.ok) throw new Error(`The recording of the demo is damaged at ${check.wrong}.`);

	function moveTimes(text: string): string {
		return text.replaceAll(TIME, (time) => new Date(Date.parse(time) - recordedStart + start).toISOString());
	}

	const home = JSON.stringify(folder).slice(1, -1);
	const sessions = Array.from(recorded, ([sessionId, chunks]): [string, RecordedLine[]] => {
		const text = moveTimes(Buffer.concat(chunks).toString('utf8').replaceAll(RECORDED_HOME, home));
		return [
			sessionId,
			text
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line)),
		];
	});
	const linesWhere = (isWanted: (at: number) => boolean) =>
		new Map(
			sessions.map(([sessionId, lines]) => [sessionId, lines.filter(({ ts }) => isWanted(Date.parse(ts)))] as const),
		);
	return { past: linesWhere((at) => at < start), live: linesWhere((at) => at >= start), documents, start };
}

/** Writes what has happened before the demo starts. Only before the home's server starts: it writes the journal itself. */
export async function writePast(home: string, folder: string, recording: DemoRecording): Promise<void> {
	const shop = join(folder, 'shop');
	await archiveCarts(home, shop, recording);
	for (const [sessionId, lines] of recording.past) if (!isCart(sessionId)) appendLines(home, sessionId, lines);
	const approvals = [...recording.past.values()].flat().filter(({ type }) => type.startsWith('approval:'));
	writeJournal(join(home, 'journal.db'), approvals);
	writeDocuments(recording, 'gift-cards', join(shop, 'specs/features/in-progress/gift-cards'));
}

const CARTS = ['cart-first', 'cart-again'] as const;
const isCart = (sessionId: string) => CARTS.some((cart) => cart === sessionId);

/** The two archived features of one name, which can be compared, as of `now` (ms). They belong to `project`. */
export async function writeArchivedCarts(home: string, project: string, now: number): Promise<void> {
	await archiveCarts(home, project, await readDemoRecording(dirname(project), now));
}

async function archiveCarts(home: string, project: string, recording: DemoRecording): Promise<void> {
	const ports = createNodePorts({ home });
	try {
		for (const sessionId of CARTS) {
			const lines = recording.past.get(sessionId) ?? [];
			appendLines(home, sessionId, lines);
			writeDocuments(recording, sessionId, join(project, 'specs/features/in-progress/cart'));
			const archivedAt = Date.parse(lines.at(-1)?.ts ?? '') + ARCHIVED_AFTER_MS;
			const archivePorts = { home, now: () => archivedAt, append: ports.append, found: [sessionId] };
			const archived = archiveFeature(project, 'cart', archivePorts);
			if (!archived.ok) throw new Error(`The demo's feature was not archived: ${archived.detail}`);
			await syncArchive(archived.id, { home, proofOf: () => ({ kind: 'unknown', redacted: [] }) });
		}
	} finally {
		ports.close();
	}
}

/** Writes the documents of one folder of the recording. */
export function writeDocuments({ documents }: DemoRecording, recorded: string, folder: string): void {
	makeFolder(folder, 0o777);
	for (const [name, text] of documents)
		if (dirname(name) === recorded) writeFileSync(join(folder, basename(name)), text);
}

/** The journal as the server would have written it, each row at its line's time. */
function writeJournal(path: string, lines: readonly RecordedLine[]): void {
	const sqlite = openSqlite(path, 'FULL', 'journal');
	try {
		const chain = openChain(sqlite, openJournalSigner(path));
		sqlite.transaction(() => {
			for (const line of lines.toSorted((one, other) => (one.ts < other.ts ? -1 : 1))) {
				const { id, ts, sessionId, type, category: _category, label: _label, ...payload } = line;
				chain.add({ id, ts, sessionId, kind: type as JournalKind, subject: String(payload.approvalId), payload });
			}
		})();
	} finally {
		sqlite.close();
	}
}

/**
 * Plays one session, each line when it happens, `speed` times as fast; `onLine` gets each line just before it is written.
 * Rejects when `signal` aborts.
 */
export async function playSession(
	home: string,
	sessionId: string,
	{ live, start }: DemoRecording,
	options: { speed: number; signal: AbortSignal; onLine?: (line: RecordedLine) => void },
): Promise<void> {
	let at = start;
	for (const line of live.get(sessionId) ?? []) {
		const next = Date.parse(line.ts);
		await pause((next - at) / options.speed, undefined, { signal: options.signal });
		at = next;
		options.onLine?.(line);
		const { durationMs } = line;
		const shorter = typeof durationMs === 'number' && { durationMs: Math.round(durationMs / options.speed) };
		appendLines(home, sessionId, [{ ...line, ...shorter, ts: new Date().toISOString() }]);
	}
}

function appendLines(home: string, sessionId: string, lines: readonly RecordedLine[]): void {
	if (lines.length === 0) return;
	const path = timelinePath(home, sessionId);
	makeFolder(dirname(path));
	appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
