import { SHELL_TOOL } from '../commands/shell-tool.ts';

/** Which field of a tool's input says best what a call does, by the clients' names of their tools. */
export const titleFields: Readonly<Record<string, readonly string[]>> = {
	Bash: ['command'],
	[SHELL_TOOL]: ['command'],
	Read: ['file_path'],
	Write: ['file_path'],
	Edit: ['file_path'],
	NotebookEdit: ['notebook_path'],
	Glob: ['pattern'],
	Grep: ['pattern'],
	WebFetch: ['url'],
	WebSearch: ['query'],
	Agent: ['description', 'prompt'],
	Task: ['description', 'prompt'],
	Skill: ['skill', 'command'],
	TaskCreate: ['subject'],
	ExitPlanMode: ['plan'],
	SendMessage: ['summary', 'message'],
};
