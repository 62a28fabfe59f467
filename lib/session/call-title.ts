import { readPatch } from '../agents/file-edits.ts';
import { callKind } from '../agents/recorded-event.ts';
import { SHELL_TOOL } from '../commands/shell-settings.ts';
import { fieldText, oneLine } from '../text/printable.ts';

/** The field of a tool's input that best describes what a call does. */
const titleFields: Readonly<Record<string, readonly string[]>> = {
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

export function callTitle(tool: string, input: unknown): string {
	if (typeof input !== 'object' || input === null || 'blob' in input) return oneLine(fieldText(input));
	const fields = input as Record<string, unknown>;
	const does = callKind({ tool });
	if (does === 'ask-person' && Array.isArray(fields.questions)) {
		const first: unknown = fields.questions[0];
		if (typeof first === 'object' && first !== null && 'question' in first) return oneLine(fieldText(first.question));
	}
	if (does === 'update-todos' && Array.isArray(fields.todos)) return `${fields.todos.length} todos`;
	if (tool === 'Stop') return oneLine(fieldText(fields.said));
	const name = (Object.hasOwn(titleFields, tool) ? titleFields[tool] : undefined)?.find(
		(field) => fieldText(fields[field]) !== '',
	);
	if (name) return oneLine(fieldText(fields[name]));
	const patched = Object.values(fields).flatMap((text) =>
		typeof text === 'string' && text.startsWith('*** Begin Patch') ? readPatch(text) : [],
	);
	if (patched.length > 0) return oneLine(patched.map(({ path }) => path).join(', '));
	return Object.keys(fields).length === 0 ? '' : oneLine(fieldText(input));
}

const changedFields = ['command', 'file_path', 'notebook_path', 'description', 'pattern', 'url', 'query'];

/** A person's changed input of a call, in one line; its tool may not be known yet. */
export function changedTitle(input: Readonly<Record<string, unknown>>): string {
	const agent = fieldText(input.subagent_type);
	const name = changedFields.find((field) => fieldText(input[field]) !== '');
	const what = name === undefined ? fieldText(input) : fieldText(input[name]);
	return oneLine(agent === '' ? what : `→ ${agent} ${what}`);
}
