import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { printable } from '#lib/text/printable.ts';
import { profileOutput } from '../agents/claude-code/outputs.ts';
import type { HookInput } from '../agents/claude-code/read-input.ts';
import type { HookAnswer, HookRun, Ports } from './ports.ts';
import { seal } from './seal.ts';

/** Of an input that is no hook input, this much is kept for a person to look at. */
const KEPT_CHARS = 1024 * 1024;

/**
 * Answers an input that nobody can judge: the profile's answer with the reason; under `supervisor` a refusal
 * (exit 2). The text is kept as a blob of `_home`, named by a `system:warning`.
 */
export function refuseInput(raw: unknown, reason: string, run: HookRun, ports: Ports): HookAnswer {
	const say = `${reason}; this call was not judged.`;
	attempt(() => {
		const text = (typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? '')).slice(0, KEPT_CHARS);
		const kept = text === '' ? '' : ` What came is kept in blobs/${ports.writeBlob(HOME_SESSION, text)}.`;
		warn(homeInput(), run, ports, 'hook/bad-input', `${reason}.${kept}`);
	});
	return {
		sessionId: HOME_SESSION,
		keys: [run.requestId],
		output: profileOutput(run.profile, say),
		problem: problemLine('', say),
		...(run.profile === 'supervisor' && { refusal: `Signalbox: ${say}` }),
	};
}

/** Answers when something failed on our side: the profile's answer, and a warning wherever it can still be written. */
export function reportFailure(error: unknown, input: HookInput, run: HookRun, ports: Ports): HookAnswer {
	const what = printable(error instanceof Error ? error.message : String(error), 300);
	const reason = `this hook could not be handled (${what}).`;
	const told = attempt(() => warn(input, run, ports, 'hook/failed', reason));
	if (!told) attempt(() => warn(homeInput(), run, ports, 'hook/failed', reason));
	const output = profileOutput(run.profile, reason);
	return { sessionId: input.sessionId, keys: [run.requestId], output, problem: problemLine(input.hook, reason) };
}

/** `[overtone/SessionStart] reason`: one form for all hooks; where the input names none, `hook` stands for it. */
function problemLine(hook: string, reason: string): string {
	return `[overtone/${printable(hook, 60) || 'hook'}] ${reason}`;
}

function homeInput(): HookInput {
	return { hook: '', sessionId: HOME_SESSION, fields: {} };
}

function warn(input: HookInput, run: HookRun, ports: Ports, code: string, message: string): void {
	ports.append(input.sessionId, seal([{ type: 'system:warning', code, message }], input, run, ports, 'warning'));
}

/** Telling of a failure must not become one. */
function attempt(effect: () => void): boolean {
	try {
		effect();
		return true;
	} catch {
		return false;
	}
}
