import type { AgentHook, HookRead } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { Json } from '#lib/json/json.ts';
import type { SupervisorInputRead } from '#lib/supervisor/supervisor-input.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';
import type { Profile } from '../ports/ports.ts';

/** All that the engine knows of one make of agent: how its hooks are read and what it reads. Pure. */
export interface AgentAdapter {
	/** Reads a hook input, text or object. Total. */
	read(raw: unknown): HookRead;
	/** What a call of one of its tools does, for an input that a person has changed, too; `raw` is the hook's whole input. */
	readCall(tool: string, input: unknown, raw: Json): ToolCall;
	/** The fields of an input that stand in no event's envelope, for the record. */
	restOf(raw: Json): Json;
	/** A call's input without what the client itself changes between the hook before it and the one after it. */
	runInput(tool: string, input: unknown, cwd: string | undefined): unknown;
	/** Which call started the agent, from the client's own file about it, where it keeps one. */
	callOfAgent?(metaFile: string): string | undefined;
	/** The one JSON object to print for a decision at this hook; null for nothing. */
	print(decision: HookDecision | null, hook: AgentHook): Json | null;
	/** What a profile prints where nothing could be judged. */
	printUnjudged(profile: Profile, reason: string): Json | null;
	/** What the supervisor goes by; absent for a client whose sessions no reviewer can fork. */
	readReviewed?(raw: Json): SupervisorInputRead;
	/** The way back: what printed JSON says. Older versions recorded their verdicts so. Total. */
	readPrinted(output: Json): HookDecision;
	/** How its transcripts are found and read; absent for a client that writes none. */
	transcripts?: Transcripts;
}

/** The transcripts of one make of agent. Pure. */
export interface Transcripts {
	/** Where those of a session are, if the path that was named, a whole and plain one, can be its; null if it cannot. */
	placeOf(path: string, sessionId: string): TranscriptFolder | null;
	/** The agent whose transcript a file is, by its name; undefined for any other file. */
	agentOf(fileName: string): string | undefined;
	/** Stands in every line that tells of an answer: what is without it need not be parsed. */
	hint: string;
	/** What a line tells of a model's answer; null for any other line. */
	readAnswer(line: string): AnswerLine | null;
	/** Where it is below the client's own folder, for as long as no hook names it. */
	usual?(sessionId: string): string;
	/** That a person stopped a turn, or a call, where no hook tells of it. */
	aborts?: { hint: string; read(line: string): AbortLine | null };
}

/** A line that tells that a person stopped a turn, or one call of it; `at` is ISO. */
export interface AbortLine {
	id: string;
	/** The call that was stopped; absent for the whole turn. */
	toolUseId?: string;
	at: string;
}

/** Where the transcripts of a session are, if they are there. */
export interface TranscriptFolder {
	/** Nothing outside this folder is a transcript of this client. */
	root: string;
	/** The main agent's. */
	main: string;
	/** The folder of its sub-agents', where they have files of their own; `isShared`: with those of other sessions. */
	agents?: { folder: string; isShared?: true };
}
