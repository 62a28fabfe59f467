/** What a call of a tool does, by meaning: gates and workflows go by it, never by a client's name of the tool. */
export type Deed =
	| { does: 'run-command'; line: string | null; leavesSandbox?: true }
	/** A line of our agent shell. */
	| { does: 'run-shell'; line: string | null }
	/** `also`: the further files of a call that changes several. */
	| ({ does: 'edit-file'; also?: readonly FileEdit[] } & FileEdit)
	| { does: 'start-agent'; asked: AskedAgent; by?: 'script' | 'skill' }
	/** A skill, which may run in an agent of its own: its file says so. */
	| { does: 'use-skill'; files: SkillFiles }
	| { does: 'update-todos'; todos: readonly unknown[] }
	| { does: 'complete-task'; id: string }
	| { does: 'ask-person' }
	| { does: 'enter-plan-mode' }
	/** It shows its plan, and the client asks its person about it. */
	| { does: 'show-plan' }
	| { does: 'other' };

/** The kinds of deeds. */
export type DeedKind = Deed['does'];

/** A sub-agent as a call asks for it; every text is the agent's own. */
export interface AskedAgent {
	/** The kind of agent as the model wrote it; null when it named none. */
	type: string | null;
	description?: string;
	prompt?: string;
	/** The call comes back before the agent has ended; undefined where the client says nothing of it. */
	background?: boolean;
	parentTaskId?: string;
}

/** Where a skill's file may be, the first one counts: below the project's folder, then on the machine. */
export interface SkillFiles {
	project: readonly string[];
	machine: readonly string[];
}

/** What becomes of one file: its whole text, or pieces of it. */
export interface FileEdit {
	path: string | null;
	text?: string;
	edits?: readonly Replacement[];
}

/** Every file that a call changes. */
export function filesOf({ also = [], ...first }: Extract<Deed, { does: 'edit-file' }>): readonly FileEdit[] {
	return [first, ...also];
}

/** One piece of text that an edit puts in the place of another. */
export interface Replacement {
	from: string;
	to: string;
	all: boolean;
}

/** A call of a tool: what the client calls it, and what it does. */
export interface ToolCall {
	/** The client's own name of the tool: for records, digests and people. */
	tool: string;
	/** The input as the agent made it: for records, digests and people. */
	input: unknown;
	deed: Deed;
}
