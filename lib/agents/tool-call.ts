/** What a call does, by meaning: gates and workflows use it, never a client's tool name. */
export type Deed =
	| { does: 'run-command'; line: string | null; leavesSandbox?: true }
	| { does: 'run-shell'; line: string | null }
	| ({ does: 'edit-file'; also?: readonly FileEdit[] } & FileEdit)
	| { does: 'start-agent'; requestedAgent: RequestedAgent; by?: 'script' | 'skill' }
	/** The skill's own file says whether it runs in an agent of its own. */
	| { does: 'use-skill'; files: SkillFiles }
	| { does: 'update-todos'; todos: readonly unknown[] }
	| { does: 'complete-task'; id: string }
	| { does: 'ask-person' }
	| { does: 'enter-plan-mode' }
	/** The client asks its person about the plan. */
	| { does: 'show-plan' }
	| { does: 'other' };

export type DeedKind = Deed['does'];

/** Every text is the agent's own. */
export interface RequestedAgent {
	/** As the model wrote it. */
	type: string | null;
	description?: string;
	prompt?: string;
	background?: boolean;
	parentTaskId?: string;
}

/** The first existing one counts. */
export interface SkillFiles {
	project: readonly string[];
	machine: readonly string[];
}

/** A changed file: its whole new text, or replaced pieces. */
export interface FileEdit {
	path: string | null;
	text?: string;
	edits?: readonly Replacement[];
}

export function filesOf({ also = [], ...first }: Extract<Deed, { does: 'edit-file' }>): readonly FileEdit[] {
	return [first, ...also];
}

export interface Replacement {
	from: string;
	to: string;
	all: boolean;
}

export interface ToolCall {
	tool: string;
	input: unknown;
	deed: Deed;
}

export const QUESTION_TOOL = 'AskUserQuestion';
