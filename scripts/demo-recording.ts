/*
 * Opens and packs what `signalbox demo` shows beside the session of a real agent, to change it by hand:
 * `npx tsx scripts/demo-recording.ts unpack FOLDER` writes sessions/ID/timeline.jsonl and documents, `pack FOLDER` makes
 * server/cli/demo/demo.signalbox.gz of them. In the recording the demo starts at NOW: what is earlier has happened by then.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { syncArchive } from '#server/archives/features/archive-sync.ts';
import { exportArchive } from '#server/archives/features/export-archive.ts';
import { verifyExport } from '#server/archives/features/verify-export.ts';

const NOW = Date.parse('2026-03-02T12:00:00.000Z');
const target = join(import.meta.dirname, '../server/cli/demo/demo.signalbox.gz');

async function unpack(folder: string): Promise<void> {
	const check = await verifyExport(target, async (line) => {
		if ('timeline' in line)
			write(join(folder, 'sessions', line.timeline.sessionId, 'timeline.jsonl'), line.timeline.data);
		if ('document' in line) write(join(folder, 'documents', line.document.name), line.document.data);
	});
	if (!check.ok) throw new Error(check.wrong);
}

function write(path: string, data: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, Buffer.from(data, 'base64'), { flag: 'a' });
}

async function pack(folder: string): Promise<void> {
	const root = mkdtempSync(join(tmpdir(), 'sbx-pack-'));
	const home = join(root, 'home');
	try {
		cpSync(join(folder, 'sessions'), join(home, 'sessions'), { recursive: true });
		cpSync(join(folder, 'documents'), join(root, 'specs/features/in-progress/demo'), { recursive: true });
		const found = readdirSync(join(folder, 'sessions'));
		const archived = archiveFeature(root, 'demo', { home, now: () => NOW, append: () => undefined, found });
		if (!archived.ok) throw new Error(archived.detail);
		const ports = { home, proofOf: () => ({ kind: 'unknown' as const, redacted: [] }) };
		const manifest = await syncArchive(archived.id, ports);
		const origin = readOrigin(home, archived.id);
		if (!manifest || !origin) throw new Error('The recording was not archived.');
		rmSync(target, { force: true });
		await exportArchive(target, { origin, manifest, redacted: false }, ports);
	} finally {
		rmSync(root, { recursive: true });
	}
}

const [verb, folder] = process.argv.slice(2);
if (folder === undefined || (verb !== 'pack' && verb !== 'unpack'))
	throw new Error('Say pack FOLDER or unpack FOLDER.');
await (verb === 'pack' ? pack : unpack)(folder);
