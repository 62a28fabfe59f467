import type { DeniedCall, WantedAssessment } from './denied-call.ts';

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
