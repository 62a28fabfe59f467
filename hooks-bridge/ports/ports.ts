import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { ProgramFile } from '#lib/gates/gate.ts';
import type { Overridden } from '#lib/grants/covers.ts';
import type { Settings } from '#lib/settings/settings.ts';
import type {
	FeaturePort,
	FeatureReads,
	FlowPort,
	FlowReads,
	SessionFileReads,
	SessionFilesPort,
} from './flow-port.ts';

/** The four profiles of an installed hook entry: what to print when nothing can be judged. */
export type Profile = 'observe' | 'open' | 'closed' | 'supervisor';

/** Everything about one hook run beside its input. */
export interface HookRun {
	/** The client that asks; absent means the first of the agent table. */
	agent?: string;
	/** One per hook process; derives event ids and finds the recorded answer of a repeated run. */
	requestId: string;
	profile: Profile;
	/** The project, if the client names it in the environment (CLAUDE_PROJECT_DIR). */
	projectDir?: string;
	/** Working directory for inputs that carry no `cwd`. */
	cwd?: string;
	/** The agent client's process: a ticket is abandoned when it is gone. */
	clientPid?: number;
	/** `clientPid` waits for the answer and is not the session's agent: when it ends, only its ticket is abandoned. */
	beside?: true;
	/** The hook entry's own timeout in seconds. No number, no ticket. */
	timeoutSeconds?: number;
	/** Environment values that were dropped because they contained control bytes. */
	dropped?: readonly string[];
	/** It is a hook of a reviewer's session (CCC_SUPERVISOR_HOOK=1): recorded, but never made to continue. */
	isReviewer?: true;
	/** Where the supervisor's state is, if the environment names it. */
	supervisor?: { id?: string; configDir?: string };
	/** A server answers this run: a person can allow a retry of what is denied. */
	served?: true;
}

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

/** A line ready for the timeline: the envelope is complete. */
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
	key: string;
	/** This process recorded it. If false, anybody may have written it. */
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

/** A denied call with everything that is needed to release it, now by a grant or later by a person. */
export interface DeniedCall {
	sessionId: string;
	agentId?: string;
	toolUseId?: string;
	tool: string;
	input: unknown;
	/** SHA-256 of the canonical (tool, input). */
	inputDigest: string;
	denials: Denial[];
	/** Every denying gate leaves its denial to a person; a grant may override the others, too. */
	asksPerson: boolean;
	/** The gates' own decision, unless a person overrides it; null for none. */
	decision: HookDecision | null;
	/** The form of the denial if no person overrides it. */
	form: 'stop' | 'deny';
	facts: Record<string, unknown>;
	/** The client's own permission prompt: what the client suggests to allow permanently. */
	permission?: { suggestions: unknown[] };
	/** The hook that waits, for judging again at release. */
	hook: AgentHook;
	run: HookRun;
	/** A supervisor's review of `Stop` or `PreToolUse`: a person's decision is final. */
	review?: { event: string };
}

/** A judgement that only a validator with a model can make. Without it, the hook's own answer applies. */
export interface WantedAssessment {
	validator: 'spawn' | 'completion';
	/** The project's folder; empty if none is known. */
	root: string;
	decision: HookDecision | null;
	/** The hook waits: the assessor records verdict and effects of a start, not this run. */
	hookWaits: boolean;
	hook: AgentHook;
	run: HookRun;
}

/** What a person decided about a held call, or about calls like it by a grant. */
export interface PersonsDecision {
	decision: 'approve' | 'deny';
	/** A grant that existed before the call. */
	granted?: true;
	reason?: string;
	/** Replaces the call's input if the person changed it. */
	updatedInput?: Record<string, unknown>;
	/** Denials of that input beside those of the call, which the person has seen. */
	overrides?: readonly Overridden[];
	/** A denial that ends the agent's turn. */
	stop?: true;
	/** Of a permission prompt: which of the client's own suggestions to apply. */
	suggestions?: readonly number[];
}

/** The result of one hook input. */
export interface HookAnswer {
	/** The one JSON object to print, or null for nothing. */
	output: Record<string, unknown> | null;
	/** 2 only under the supervisor profile (parse error); the text goes to stderr. */
	refusal?: string;
	/** Why the hook could not do its work, as one line for stderr (seed 001). It still exits without an error. */
	problem?: string;
	/** Present when `output` is a denial of a call, or nothing for the client's own permission prompt. */
	held?: DeniedCall;
	/** Present if a validator must assess it; never together with `held`. */
	assess?: WantedAssessment;
	/** The session whose timeline has the events. */
	sessionId: string;
	/** The answer is recorded under these; a second run that shares one joins this run's ticket. */
	keys: readonly string[];
	/** Gates judged a call: the answer remains even if nothing can be written. */
	isJudged?: true;
	/** A repeated run: `output` is the recorded one and nothing was appended. */
	repeated?: true;
}

/** The end of a hook process: at most one JSON object on stdout, only errors on stderr, exit code 2 only with text there. */
export interface HookEnd {
	stdout: string;
	stderr: string;
	exitCode: 0 | 2;
}
