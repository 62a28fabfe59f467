import type { AgentHook, HookRead } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { Json } from '#lib/json/json.ts';
import type { SupervisorInputRead } from '#lib/supervisor/supervisor-input.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';
import type { Profile } from '../ports/hook-run.ts';

/** One client, as the engine sees it: how its hook inputs are parsed and how decisions are printed for it. Pure. */
export interface AgentAdapter {
	/** Parses a hook input (text or object). Never throws. */
	read(raw: unknown): HookRead;
	/** What a tool call does, also for an input that a person edited; `raw` is the whole hook input. */
	readCall(tool: string, input: unknown, raw: Json): ToolCall;
	/** The input's fields that no event envelope holds. */
	restOf(raw: Json): Json;
	/** The call's input without the fields that the client changes between its two hooks. */
	runInput(tool: string, input: unknown, cwd: string | undefined): unknown;
	/** Id of the call that started an agent, read from the client's own file about it. */
	callOfAgent?(metaFile: string): string | undefined;
	/** The JSON object to print for a decision; null prints nothing. */
	print(decision: HookDecision | null, hook: AgentHook): Json | null;
	/** The JSON object to print when nothing could be judged. */
	printUnjudged(profile: Profile, reason: string): Json | null;
	/** The supervisor's input; absent for clients whose sessions cannot be forked. */
	readReviewed?(raw: Json): SupervisorInputRead;
	/** Parses printed JSON back into a decision: older versions recorded verdicts that way. Never throws. */
	readPrinted(output: Json): HookDecision;
	/** Absent for a client that writes no transcripts. */
	transcripts?: Transcripts;
}

/** How one client's transcripts are found and parsed. Pure. */
export interface Transcripts {
	/** Locates a session's transcripts from an absolute path that a hook named; null if the path cannot be one. */
	folderOf(path: string, sessionId: string): TranscriptFolder | null;
	/** The agent id in a transcript's file name; undefined for other files. */
	agentOf(fileName: string): string | undefined;
	/** Text that every line with a model answer contains; other lines need not be parsed. */
	hint: string;
	/** The model answer in a line; null for other lines. */
	readAnswer(line: string): AnswerLine | null;
	/** Default path below the client's folder, until a hook names one. */
	usual?(sessionId: string): string;
	/** Lines that record a stop by the person, for clients without a hook for it. */
	aborts?: { hint: string; read(line: string): AbortLine | null };
}

/** A person stopped a turn, or one call of it; `at` is ISO 8601. */
export interface AbortLine {
	id: string;
	/** Absent when the whole turn was stopped. */
	toolUseId?: string;
	at: string;
}

/** Paths of a session's transcripts; they need not exist. */
export interface TranscriptFolder {
	/** All transcripts of this client are below this folder. */
	root: string;
	main: string;
	/** Folder of the sub-agents' own files; `isShared`: other sessions use it too. */
	agents?: { folder: string; isShared?: true };
}
