import { isAbsolute, normalize, resolve } from 'node:path';
import { isJson, type Json } from '#lib/json/json.ts';

/**
 * Fields that the client itself fills in or leaves out between the hook before a call and the one after it (observed on
 * 2.1.112, 2.1.197 and 2.1.330). None of them is anything that a gate judges.
 */
const OF_THE_CLIENT: Readonly<Record<string, readonly string[]>> = {
	// What its person, a host or a hook answered.
	AskUserQuestion: ['answers', 'annotations'],
	// The plan is a file, and its person may edit it in the dialog.
	ExitPlanMode: ['plan', 'planFilePath'],
	// Hooks are shown who gets it a second time, in other words.
	SendMessage: ['type', 'recipient', 'recipient_kind', 'content'],
	// In the terminal agents are always in the background.
	Agent: ['run_in_background'],
	Task: ['run_in_background'],
};
/** Only the hook before a call is shown the whole path. */
const PATHS: readonly string[] = ['file_path', 'notebook_path'];
const OF_A_HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/;

/** A call's input without what the client itself changes: the same before the call and after it, unless somebody else changed it. */
export function runInput(tool: string, input: unknown, cwd: string | undefined): unknown {
	if (!isJson(input)) return input;
	const left = leftOut(tool, input);
	const paths = PATHS.filter((name) => typeof input[name] === 'string');
	if (paths.length === 0 && !left.some((name) => Object.hasOwn(input, name))) return input;
	const kept = Object.entries(input).filter(([name]) => !left.includes(name));
	const whole = paths.map((name) => [name, wholePath(String(input[name]), cwd)] as const);
	return { ...Object.fromEntries(kept), ...Object.fromEntries(whole) };
}

function leftOut(tool: string, { command }: Json): readonly string[] {
	// Its dialog shows what sed would make of a file, and writes just that.
	if (tool === 'Bash') return typeof command === 'string' && /^\s*sed\s/.test(command) ? ['_simulatedSedEdit'] : [];
	return Object.hasOwn(OF_THE_CLIENT, tool) ? (OF_THE_CLIENT[tool] ?? []) : [];
}

/** A path as the client would open it; the home, which only the client knows, is written `~`. */
function wholePath(path: string, cwd: string | undefined): string {
	const text = path.trim().normalize('NFC');
	if (text === '~' || text.startsWith('~/')) return normalize(text);
	const at = isAbsolute(text) || cwd === undefined ? normalize(text) : resolve(cwd, text);
	return at.replace(OF_A_HOME, '~');
}
