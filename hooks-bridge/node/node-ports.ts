import { spawnSync } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTRY_PROGRAM } from '#lib/commands/sandbox-entry.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { readBounded } from '../disk/bounded-read.ts';
import { createFlowStore } from '../disk/flow-store.ts';
import { frugalDigest } from '../disk/frugal-digest.ts';
import { hasWorkflowFile, sessionFolder } from '../disk/overtone-home.ts';
import { isExecutable, programFile } from '../disk/program-file.ts';
import { editProjectFile, listProjectFiles } from '../disk/project-files.ts';
import { createSessionFiles } from '../disk/session-files.ts';
import { createTimelinePort, type OnAppend, type TimelinePort } from '../disk/timeline-files.ts';
import { tryTo } from '../disk/try-to.ts';
import { makeFolder, writeThenRename } from '../disk/write-files.ts';
import { once } from '../engine/facts.ts';
import { createFeaturePort } from '../features/feature-port.ts';
import type { FileRead, Ports, SealedEvent } from '../ports/ports.ts';

const ROOT_MARKS = ['.vibe-engine', '.git', 'package.json'];
const ROOT_TTL_MS = 5000;
const MAX_ROOTS = 500;
const HOOK_LOCK_MS = 1000;
const SANDBOX_TTL_MS = 60_000;

/** What the ports of a process need. */
export interface NodePortsOptions {
	home: string;
	onAppend?: OnAppend;
	/** Milliseconds since the epoch. */
	now?: () => number;
	/** How long a state file's lock may block this process, in milliseconds: 1,000 in a hook's own, far less in a server. */
	lockWaitMs?: number;
	/** The process handles one hook and ends, so nothing is prepared for later ones. */
	once?: boolean;
	/** Replaces timelines that are written line by line. */
	timelines?: TimelinePort;
}

/** The effects of `respond` on a real machine. `close` closes the descriptors. */
export function createNodePorts(options: NodePortsOptions): Ports & { close(): void } {
	const { home, onAppend, now = Date.now, lockWaitMs = HOOK_LOCK_MS, once: isOneHook = false } = options;
	const { timelines = createTimelinePort(home, onAppend, isOneHook) } = options;
	const digest = isOneHook ? frugalDigest : sha256;
	const smallFiles = new SmallFiles();
	const roots = new Map<string, { root: string; until: number }>();
	const demandSafe = (sessionId: string): string => {
		if (!isSafeId(sessionId)) throw new Error('unsafe session id');
		return sessionId;
	};
	const { appendLater } = timelines;
	const append: Ports['append'] = (sessionId, events) => timelines.append(demandSafe(sessionId), events);
	// Few hooks need these, and a process that lives for one hook loads them only on demand.
	const flow = once(() => createFlowStore({ home, lockWaitMs, digest }));
	/** Workflows are folded from the timelines on disk. */
	const readFlow = () => {
		timelines.flush?.();
		return flow();
	};
	const features = once(() => createFeaturePort({ home, now, append }));
	const sandbox = sandboxEntryIn(home, now);
	const sessionFiles = once(() => createSessionFiles(home, lockWaitMs));
	return {
		now,
		append,
		...(appendLater && {
			appendLater: (sessionId: string, events: readonly SealedEvent[]) => appendLater(demandSafe(sessionId), events),
		}),
		flow: {
			has: (sessionId) => hasWorkflowFile(home, sessionId),
			hasStarted: (sessionId, agentId) => readFlow().hasStarted(sessionId, agentId),
			read: (sessionId) => readFlow().read(sessionId),
			locked: (sessionId, work) => readFlow().locked(sessionId, work),
		},
		get features() {
			return features();
		},
		get sessionFiles() {
			return sessionFiles();
		},
		readProjectFile: (root, relative) => smallFiles.read(join(root, relative), root),
		listProjectFiles,
		editProjectFile: (root, relative, change) => editProjectFile({ home, root, relative, lockWaitMs }, change),
		readClientFile: (path) => readBounded(path),
		readHomeFile: (relative) => smallFiles.read(join(home, relative), home),
		sandboxEntry: () => sandbox(),
		programFile,
		projectRootOf: (cwd) => {
			const known = roots.get(cwd);
			if (known && known.until > now()) return known.root;
			const root = findRoot(cwd);
			if (roots.size >= MAX_ROOTS) roots.clear();
			roots.set(cwd, { root, until: now() + ROOT_TTL_MS });
			return root;
		},
		writeBlob: (sessionId, text) =>
			writeBlob(join(sessionFolder(home, demandSafe(sessionId)), 'blobs'), text, digest(text)),
		// If the file is wrong, the append reports it; the verdict must not depend on it.
		recorded: (sessionId, keys) => tryTo(() => timelines.recorded(demandSafe(sessionId), keys)),
		lines: (sessionId, ids) => tryTo(() => timelines.lines(demandSafe(sessionId), ids)) ?? [],
		linesWith: (sessionId, text) => tryTo(() => timelines.linesWith(demandSafe(sessionId), text)) ?? [],
		hasTimeline: (sessionId) => timelines.hasTimeline(demandSafe(sessionId)),
		digest,
		close: () => timelines.close(),
	};
}

/** Runs `work`, which waits for nothing, with the ports of a home. */
export function withNodePorts<T>(home: string, work: (ports: Ports) => T): T {
	const ports = createNodePorts({ home });
	try {
		return work(ports);
	} finally {
		ports.close();
	}
}

/** Finds out whether a sandbox can be started, by starting one. A success counts for good, a failure for a minute. */
function sandboxEntryIn(home: string, now: () => number): () => string | undefined {
	const program = join(home, 'bin', ENTRY_PROGRAM);
	let known: { path?: string; until: number } | undefined;
	return () => {
		if (!existsSync(program)) return undefined;
		if (known?.path === undefined && (known?.until ?? 0) <= now()) {
			const path = findSandbox();
			known = { ...(path && { path }), until: now() + SANDBOX_TTL_MS };
		}
		return known?.path && program;
	};
}

function sha256(text: string): string {
	return hash('sha256', text, 'hex');
}

/** Written under another name first: a reader never sees half a blob. */
function writeBlob(folder: string, text: string, name: string): string {
	const path = join(folder, name);
	if (existsSync(path)) return name;
	makeFolder(folder);
	writeThenRename(`${path}.${randomUUID()}`, path, text, 0o600);
	return name;
}

/** The nearest folder that looks like a project's, else the working directory. */
function findRoot(cwd: string): string {
	for (let at = cwd; ; at = dirname(at)) {
		if (ROOT_MARKS.some((mark) => existsSync(join(at, mark)))) return at;
		if (dirname(at) === at) return cwd;
	}
}

const MAX_FILES = 200;
const MAX_CHARS = 64 * 1024;

/** Settings and plans are needed at every call and change seldom: a file with an unchanged stat is not read again. */
export class SmallFiles {
	readonly #known = new Map<string, { stamp: string; read: FileRead }>();

	/** As `readBounded`. */
	read(path: string, root: string): FileRead {
		const stat = tryTo(() => lstatSync(path, { throwIfNoEntry: false }) ?? null);
		if (stat === null) return { ok: false, why: 'absent' };
		if (!stat?.isFile()) return readBounded(path, root);
		const stamp = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
		const key = `${root}\0${path}`;
		const known = this.#known.get(key);
		if (known?.stamp === stamp) return known.read;
		const read = readBounded(path, root);
		if (this.#known.size >= MAX_FILES) this.#known.clear();
		// A file changed just now may change again without a new timestamp.
		const isSettled = Date.now() - stat.ctimeMs > 1000;
		if (isSettled && read.ok && read.text.length <= MAX_CHARS) this.#known.set(key, { stamp, read });
		return read;
	}
}

/** Fixed folders: a bubblewrap from a PATH that an agent may have changed is not used. */
const SANDBOX_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
const PROBE_MS = 10_000;

/** The path of a bubblewrap that can really be started here; undefined if there is none. Takes some 10 ms. */
export function findSandbox(): string | undefined {
	const path = SANDBOX_FOLDERS.map((folder) => join(folder, 'bwrap')).find(isExecutable);
	if (path === undefined) return undefined;
	const args = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--', '/bin/sh', '-c', ':'];
	return spawnSync(path, args, { stdio: 'ignore', timeout: PROBE_MS }).status === 0 ? path : undefined;
}
