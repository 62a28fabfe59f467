import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { ProgramFile } from '#lib/gates/gate.ts';
import type { Settings } from '#lib/settings/settings.ts';
import type { WantedAssessment } from './denied-call.ts';
import type {
	FeaturePort,
	FeatureReads,
	FlowPort,
	FlowReads,
	SessionFileReads,
	SessionFilesPort,
} from './flow-port.ts';
import type { HookRun } from './hook-run.ts';

/** One hook with what is known before anything is decided, and the ports for its results. */
export interface HookRequest {
	hook: AgentHook;
	run: HookRun;
	/** The project's folder; empty when it is not known. */
	root: string;
	ports: Ports;
}

/** How a bounded read of a project file ended. */
export type FileRead =
	| { ok: true; text: string; mtimeMs: number }
	| { ok: false; why: 'absent' | 'not-regular' | 'outside' | 'too-large' | 'unreadable' };

export interface SealedEvent {
	id: string;
	ts: string;
	type: string;
	category: string;
	label: string;
	sessionId: string;
	[field: string]: unknown;
}

/** What a second run for the same request or call must answer again. */
export interface RecordedAnswer {
	decision: HookDecision | null;
	/** This process recorded the answer; otherwise anybody may have written it. */
	isOwn: boolean;
}

/** What decisions may read. Nothing in it changes anything, and decisions get nothing else. */
export interface ReadPorts {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Reads `relative` below `root`: regular files inside it only, at most 1 MiB, never blocking on a FIFO. */
	readProjectFile(root: string, relative: string): FileRead;
	/** The names of the regular files in a folder of a project, newest first; empty if it is not a folder or leads out. */
	listProjectFiles(root: string, relative: string): { name: string; mtimeMs: number }[];
	/** Reads a file that the client named (agent metadata); the same bounds, without the root rule. */
	readClientFile(path: string): FileRead;
	/** Reads `relative` below the state root (`~/.overtone`): the person's own `config.json`. */
	readHomeFile(relative: string): FileRead;
	/** The project root for a working directory: nearest folder with .vibe-engine, .git or package.json, else itself. */
	projectRootOf(cwd: string): string;
	/**
	 * The answer recorded earlier under one of these keys: a request id or an event id. Searches the last 256 KiB of the
	 * session's timeline, including lines of other writers.
	 */
	recorded(sessionId: string, keys: readonly string[]): RecordedAnswer | undefined;
	/** Lines by all writers in those last 256 KiB with one of these event ids, oldest first. */
	lines(sessionId: string, ids: readonly string[]): readonly Readonly<Record<string, unknown>>[];
	/** Lines by all writers in those last 256 KiB that contain a text, oldest first. */
	linesWith(sessionId: string, text: string): readonly Readonly<Record<string, unknown>>[];
	/** Whether anything was recorded of the session yet. */
	hasTimeline(sessionId: string): boolean;
	digest(text: string): string;
	flow: FlowReads;
	features: FeatureReads;
	sessionFiles: SessionFileReads;
	/** The settings as another hook of the same turn read them, else `read`; absent if each hook reads its own. */
	settingsOfTurn?(root: string, read: () => Settings): Settings;
	/** The path of the program that runs a line in the sandbox; undefined if there can be no sandbox. */
	sandboxEntry?(): string | undefined;
	/** The file of a program, by a path from `cwd` or by the PATH of this process; null if none can be read. */
	programFile?(word: string, cwd: string): ProgramFile | null;
	/** Whether this can be assessed while the hook waits: only in a server, and a start only with a model. */
	mayAssess?(validator: WantedAssessment['validator']): boolean;
}

/** All effects of the engine. It uses clock, disk and environment in no other way. */
export interface Ports extends ReadPorts {
	/**
	 * Replaces a small project file as a whole, under its own lock; null from `change` leaves it. `change` gets null for a
	 * missing file. Never through a link. False if nothing was written.
	 */
	editProjectFile(root: string, relative: string, change: (text: string | null) => string | null): boolean;
	/** Appends whole lines to the session's timeline, in order, before the answer is given. */
	append(sessionId: string, events: readonly SealedEvent[]): void;
	/**
	 * As `append`, for a hook that does nothing else: the write may wait for those of other hooks, and its failure is reported
	 * with the answer (`answerUnwritten`). Absent if every line is written at once.
	 */
	appendLater?(sessionId: string, events: readonly SealedEvent[]): void;
	/** Stores bytes too large for a line; returns their SHA-256. */
	writeBlob(sessionId: string, bytes: string): string;
	flow: FlowPort;
	features: FeaturePort;
	sessionFiles: SessionFilesPort;
}
