import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { isJson, type Json, parsedObject } from '#lib/json/json.ts';
import { foldLoop, type LoopState, readLoop } from '#lib/workflow/loop-fold.ts';
import { readWorkflowState } from '#lib/workflow/read-workflow-state.ts';
import { foldWorkflowState } from '#lib/workflow/workflow-fold.ts';
import type { AdoptedFile, Flow, FlowPort } from '../ports/flow-port.ts';
import { withLock } from './lock.ts';
import { hasWorkflowFile, sessionFolder, timelinePath } from './overtone-home.ts';
import { makeFolder, readState, writeState } from './write-files.ts';

/** A checkpoint of an unchanged state is written only if it saves folding more bytes than this. */
const LAZY_BYTES = 64 * 1024;
/** Above this even a reader writes checkpoints, or a long stage would be folded again at every use of a tool. */
const LAG_BYTES = 256 * 1024;

/** What the store needs to know about its process. */
export interface FlowStoreOptions {
	home: string;
	/** How long the lock may be waited for, in milliseconds: it blocks the process. */
	lockWaitMs: number;
	digest(text: string): string;
}

/** One state file while it is updated from its checkpoint to the end of the timeline. */
interface Part<S extends object> {
	file: AdoptedFile['file'];
	state: S | null;
	fold: (state: S | null, event: KnownEvent) => S | null;
	/** Lines from this byte on are not in the state. */
	from: number;
	/** The state and its offset as stored in the file. */
	stored: { state: S | null; offset: number };
	edited: boolean;
}

interface Loaded {
	workflow: Part<WorkflowState>;
	loop: Part<LoopState>;
	end: TimelineEnd;
}

/** The workflow state of sessions on a real disk. */
export function createFlowStore({ home, lockWaitMs, digest }: FlowStoreOptions): FlowPort {
	const pathOf = (sessionId: string, file: string): string => join(sessionFolder(home, sessionId), file);

	const lockOf = (sessionId: string): string => pathOf(sessionId, 'workflow.json.lock');

	const load = (sessionId: string): Loaded => {
		const timeline = timelineIdentity(timelinePath(home, sessionId)) ?? { ino: 0, size: 0 };
		const open = (file: AdoptedFile['file']) => openCheckpoint(readState(pathOf(sessionId, file)), digest);
		const [workflow, loop] = [open('workflow.json'), open('loop.json')];
		const parts = {
			workflow: part(
				'workflow.json',
				workflow,
				readWorkflowState(workflow?.content, sessionId),
				foldWorkflowState,
				timeline,
			),
			loop: part('loop.json', loop, readLoop(loop?.content), foldLoop, timeline),
		};
		return {
			...parts,
			end: advance(sessionId, parts.workflow, parts.loop, Math.min(parts.workflow.from, parts.loop.from)),
		};
	};

	const advance = (
		sessionId: string,
		workflow: Part<WorkflowState>,
		loop: Part<LoopState>,
		from: number,
	): TimelineEnd => {
		const end = readTimelineLines(timelinePath(home, sessionId), from, (line, offset) => {
			const event = foldableEvent(line, sessionId);
			if (!event) return;
			if (offset >= workflow.from) workflow.state = workflow.fold(workflow.state, event);
			if (offset >= loop.from) loop.state = loop.fold(loop.state, event);
		});
		const reached = end ?? { offset: 0, ino: 0 };
		workflow.from = reached.offset;
		loop.from = reached.offset;
		return reached;
	};

	const save = <S extends object>(
		sessionId: string,
		{ file, state, stored, edited }: Part<S>,
		end: TimelineEnd,
	): void => {
		const same = !edited && JSON.stringify(state) === JSON.stringify(stored.state);
		if (state === null || (same && end.offset - stored.offset < LAZY_BYTES)) return;
		writeState(pathOf(sessionId, file), sealCheckpoint(state, end, digest));
	};

	/** Does not wait for the lock: its holder does the same. Edits are left to a caller that can record them. */
	const catchUp = (sessionId: string, { workflow, loop, end }: Loaded): void => {
		if (workflow.edited || loop.edited || workflow.state === null) return;
		if (end.offset - workflow.stored.offset < LAG_BYTES) return;
		try {
			withLock(lockOf(sessionId), () => saveAll(sessionId, load(sessionId)), 0);
		} catch {
			// A failed checkpoint is made again from the timeline.
		}
	};

	const saveAll = (sessionId: string, { workflow, loop, end }: Loaded): void => {
		save(sessionId, workflow, end);
		save(sessionId, loop, end);
	};

	return {
		has: (sessionId) => hasWorkflowFile(home, sessionId),
		hasStarted: (sessionId, agentId) => {
			let started: boolean | undefined;
			readTimelineLines(timelinePath(home, sessionId), 0, (line) => {
				if (started || !line.includes('"agent:start"')) return;
				const event = foldableEvent(line, sessionId);
				if (event?.type === 'agent:start') started = event.agentId === agentId;
			});
			return started !== false;
		},
		read: (sessionId) => {
			const loaded = load(sessionId);
			catchUp(sessionId, loaded);
			return flowOf(loaded, true);
		},
		locked: (sessionId, work) => {
			let done: { value: ReturnType<typeof work> } | undefined;
			let began = false;
			try {
				makeFolder(sessionFolder(home, sessionId));
				withLock(
					lockOf(sessionId),
					() => {
						const loaded = load(sessionId);
						began = true;
						done = { value: work(flowOf(loaded, true)) };
						const end = advance(sessionId, loaded.workflow, loaded.loop, loaded.end.offset);
						saveAll(sessionId, { ...loaded, end });
					},
					lockWaitMs,
				);
			} catch (error) {
				// The decision is in the timeline already, from which a failed checkpoint is made again.
				if (began && !done) throw error;
			}
			return done ? done.value : work(flowOf(load(sessionId), false));
		},
	};
}

function flowOf({ workflow, loop }: Loaded, locked: boolean): Flow {
	const adopted = [workflow, loop].flatMap(({ file, edited, state }): AdoptedFile[] =>
		edited && state !== null ? [{ file, state: { ...state } }] : [],
	);
	return { workflow: workflow.state, loop: loop.state, adopted, locked };
}

function part<S extends object>(
	file: AdoptedFile['file'],
	checkpoint: Checkpoint | null,
	state: S | null,
	fold: Part<S>['fold'],
	timeline: { ino: number; size: number },
): Part<S> {
	if (!checkpoint || state === null)
		return { file, state: null, fold, from: 0, stored: { state: null, offset: 0 }, edited: false };
	const { offset, ino } = checkpoint;
	// Without our offset, or for another timeline, the file's writer is assumed to know all lines.
	const known = offset !== undefined && ino === timeline.ino && offset <= timeline.size;
	const from = known ? offset : timeline.size;
	return { file, state, fold, from, stored: { state, offset: from }, edited: !checkpoint.own };
}

/** How much of a timeline a state file covers, and the digest of what we wrote, which reveals an edit. */
interface Seal {
	offset: number;
	ino: number;
	digest: string;
}

interface Checkpoint {
	content: Json;
	/** Bytes of the timeline that it covers; undefined if the file has no offset. */
	offset?: number;
	ino?: number;
	/** The file is unchanged since we wrote it. */
	own: boolean;
}

function openCheckpoint(value: unknown, digest: (text: string) => string): Checkpoint | null {
	if (!isJson(value)) return null;
	const { checkpoint, ...content } = value;
	if (!isSeal(checkpoint)) return { content, own: false };
	const { offset, ino } = checkpoint;
	return { content, offset, ino, own: digest(JSON.stringify(content)) === checkpoint.digest };
}

function sealCheckpoint(state: object, end: { offset: number; ino: number }, digest: (text: string) => string): Json {
	const content = JSON.parse(JSON.stringify(state)) as Json;
	return { ...content, checkpoint: { ...end, digest: digest(JSON.stringify(content)) } };
}

function isSeal(value: unknown): value is Seal {
	if (!isJson(value) || typeof value.digest !== 'string') return false;
	return Number.isSafeInteger(value.offset) && Number(value.offset) >= 0 && Number.isSafeInteger(value.ino);
}

const CHUNK_BYTES = 1024 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Where reading a timeline ended: after its last whole line, and in which file. */
interface TimelineEnd {
	offset: number;
	ino: number;
}

/**
 * Passes on each whole line from `from` with its offset in bytes. Lines over 1 MiB are no events and skipped. Null if there is no
 * regular file.
 */
function readTimelineLines(
	path: string,
	from: number,
	onLine: (line: string, offset: number) => void,
): TimelineEnd | null {
	let fd: number;
	try {
		fd = openSync(path, FLAGS);
	} catch {
		return null;
	}
	try {
		const stat = fstatSync(fd);
		if (!stat.isFile()) return null;
		const offset = from >= stat.size ? Math.min(from, stat.size) : readFrom(fd, from, stat.size, onLine);
		return { offset, ino: stat.ino };
	} finally {
		closeSync(fd);
	}
}

function readFrom(fd: number, from: number, size: number, onLine: (line: string, offset: number) => void): number {
	const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - from));
	let at = from;
	let whole = from;
	while (at < size) {
		const read = readSync(fd, buffer, 0, Math.min(buffer.length, size - at), at);
		if (read === 0) break;
		const bytes = buffer.subarray(0, read);
		let start = 0;
		for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
			// A line that began before this chunk was too long: only its end is here.
			if (end > start && whole === at + start) onLine(bytes.toString('utf8', start, end), at + start);
			start = end + 1;
			whole = at + start;
		}
		// A full chunk without a line break is part of a line over the limit: its bytes are skipped.
		at = start > 0 && whole > at ? whole : at + read;
		if (read < buffer.length) break;
	}
	return whole;
}

function timelineIdentity(path: string): { ino: number; size: number } | null {
	try {
		const fd = openSync(path, FLAGS);
		try {
			const { ino, size } = fstatSync(fd);
			return { ino, size };
		} finally {
			closeSync(fd);
		}
	} catch {
		return null;
	}
}

/** The event types that workflow.json and loop.json are folded from, with the text fields that each must have. */
const FOLDED: Readonly<Record<string, readonly string[]>> = {
	'workflow:start': ['workflowType'],
	'workflow:complete': [],
	'workflow:abort': [],
	'workflow:pause': [],
	'workflow:resume': [],
	'workflow:adopt': ['file'],
	'stage:start': ['stage'],
	'stage:complete': ['stage'],
	'stage:retry': ['stage'],
	'agent:delegate': ['agent'],
	'agent:start': ['agent'],
	'agent:complete': ['agent'],
	'agent:error': ['agent'],
	'tool:result': ['toolUseId', 'startedAgentId'],
	'tool:error': ['toolUseId'],
	'parallel:start': [],
	'parallel:converge': ['group'],
	'loop:start': [],
	'loop:advance': [],
	'loop:complete': [],
	'session:start': [],
	'session:end': [],
	'specs:init': ['featureName'],
	'error:fatal': ['reason'],
};
const TEXTS = 'agent stage source agentId toolUseId result reason group workflowType featureName'.split(' ');
const MENTIONS =
	/"type":\s*"(?:(?:workflow|stage|agent|parallel|loop):|session:(?:start|end)"|specs:init|error:fatal|tool:error)|"startedAgentId"/;

/**
 * The event in a line, as far as the folds need it; null for any other. Other programs write lines too, so every used field is
 * checked. Most lines are skipped unparsed.
 */
function foldableEvent(line: string, sessionId: string): KnownEvent | null {
	if (!MENTIONS.test(line)) return null;
	const value = parsedObject(line);
	return value && isFoldable(value) ? ({ ...value, sessionId } as unknown as KnownEvent) : null;
}

function isFoldable(event: Json): boolean {
	const { type, ts } = event;
	if (typeof type !== 'string' || typeof ts !== 'string' || !Object.hasOwn(FOLDED, type)) return false;
	if (!FOLDED[type]?.every((name) => typeof event[name] === 'string')) return false;
	if (TEXTS.some((name) => event[name] !== undefined && typeof event[name] !== 'string')) return false;
	if (type === 'workflow:adopt') return isJson(event.state);
	if (type === 'loop:advance') return typeof event.iteration === 'number';
	const { stages } = event;
	return stages === undefined || (Array.isArray(stages) && stages.every((stage) => typeof stage === 'string'));
}
