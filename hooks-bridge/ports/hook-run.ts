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
	/** The hook is of a reviewer's session (CCC_SUPERVISOR_HOOK=1): recorded, but never made to continue. */
	isReviewer?: true;
	/** Where the supervisor's state is, if the environment names it. */
	supervisor?: { id?: string; configDir?: string };
	/** A server answers this run: a person can allow a retry of what is denied. */
	served?: true;
}
