import type { Say } from '../messages/say.ts';
import { clip } from '../text/printable.ts';
import { shortPath } from '../text/short-path.ts';
import { agentAsked, type CallView, outcomeOf } from './call.ts';
import { type Row, rowLabel } from './row.ts';

/** A heading is one or two lines. */
const MOST_CHARS = 90;
const COMMANDS: ReadonlySet<string> = new Set(['Bash', 'bash', 'Shell', 'run_shell_command']);

/** What a row tells, as one sentence: who did what, or wanted to. Parts of it are agent text. */
export function rowSentence(row: Row, actor: string, folder: string | null, say: Say): string {
	const { call } = row;
	if (!call) return say.known(rowLabel(row));
	const outcome = outcomeOf(call);
	const isDone = outcome === 'ran' || outcome === 'failed' || outcome === 'running';
	return isDone ? didWords(call, actor, folder, say) : wantedWords(call, actor, folder, say);
}

function didWords(call: CallView, actor: string, folder: string | null, say: Say): string {
	const agent = agentAsked(call);
	if (agent !== undefined) return say('{actor} started {agent}', { actor, agent });
	if (call.edit) return say('{actor} edited {file}', { actor, file: fileOf(call.edit.path, folder) });
	if (COMMANDS.has(call.tool)) return say('{actor} ran {command}', { actor, command: clip(call.title, MOST_CHARS) });
	return say('{actor} called {tool}', { actor, tool: call.tool });
}

function wantedWords(call: CallView, actor: string, folder: string | null, say: Say): string {
	const agent = agentAsked(call);
	if (agent !== undefined) return say('{actor} wants to start {agent}', { actor, agent });
	if (call.edit) return say('{actor} wants to edit {file}', { actor, file: fileOf(call.edit.path, folder) });
	if (COMMANDS.has(call.tool))
		return say('{actor} wants to run {command}', { actor, command: clip(call.title, MOST_CHARS) });
	return say('{actor} wants to call {tool}', { actor, tool: call.tool });
}

const fileOf = (path: string, folder: string | null) => clip(shortPath(path, folder), MOST_CHARS);
