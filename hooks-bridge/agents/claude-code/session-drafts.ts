import { basename, isAbsolute, join } from 'node:path';
import type { DraftEvent, HookRun, Ports } from '../../engine/ports.ts';
import { textOf } from './json.ts';
import type { HookInput } from './read-input.ts';

/** SessionStart: who, where, on which branch. */
export function sessionStart(input: HookInput, run: HookRun, root: string, ports: Ports): DraftEvent[] {
	return [
		{
			type: 'session:start',
			source: textOf(input.fields.source, 64),
			model: textOf(input.fields.model, 128),
			version: textOf(input.fields.version, 64),
			cwd: input.cwd ?? run.cwd,
			project: basename(root),
			branch: branchOf(root, ports),
			pid: run.clientPid,
			...(run.isReviewer && { reviewer: true }),
		},
	];
}

/** UserPromptSubmit. A prompt that the client itself writes about a finished background agent is a `task`. */
export function promptSubmit(input: HookInput, run: HookRun, root: string): DraftEvent[] {
	const prompt = input.fields.prompt ?? null;
	const told = typeof prompt === 'string' && prompt.trimStart().startsWith('<task-notification>');
	return [
		{
			type: 'prompt:submit',
			prompt,
			promptId: textOf(input.fields.prompt_id, 128),
			source: told ? 'task' : 'user',
			cwd: input.cwd ?? run.cwd,
			project: basename(root),
		},
	];
}

/** Notification: what the client shows to the person at the terminal. */
export function sessionNotice(input: HookInput): DraftEvent[] {
	return [
		{
			type: 'session:notice',
			message: textOf(input.fields.message, 2000) ?? '',
			notice: textOf(input.fields.notification_type, 64),
		},
	];
}

/** MessageDisplay: recorded once, when the message is final. */
export function messageShow(input: HookInput): DraftEvent[] {
	if (input.fields.final !== true) return [];
	return [{ type: 'message:show', text: input.fields.delta ?? null, messageId: textOf(input.fields.message_id, 128) }];
}

/** The branch that `.git/HEAD` names, also in a linked worktree; nothing when detached or unreadable. */
function branchOf(root: string, ports: Ports): string | undefined {
	const head = ports.readProjectFile(root, '.git/HEAD');
	if (head.ok) return refOf(head.text);
	const link = ports.readProjectFile(root, '.git');
	const folder = link.ok ? /^gitdir: (.{1,4000})$/m.exec(link.text)?.[1]?.trim() : undefined;
	if (!folder) return undefined;
	const linked = ports.readClientFile(join(isAbsolute(folder) ? folder : join(root, folder), 'HEAD'));
	return linked.ok ? refOf(linked.text) : undefined;
}

function refOf(head: string): string | undefined {
	return /^ref: refs\/heads\/([\x21-\x7e\u00a0-\uffff]{1,200})\s*$/.exec(head)?.[1];
}
