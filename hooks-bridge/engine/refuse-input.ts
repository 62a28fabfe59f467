import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { printable } from '#lib/text/printable.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { HookAnswer, HookRun, Ports } from '../ports/ports.ts';
import { seal } from './seal.ts';

/** What the supervisor says of an input that it cannot take, in seed 004's words: it ends with exit code 2. */
export function unparsedInput(reason: string): string {
	return `Signalbox: failed to parse hook input: ${reason}.`;
}

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
		warn(homeHook(run), run, ports, 'hook/bad-input', `${reason}.${kept}`);
	});
	return {
		sessionId: HOME_SESSION,
		keys: [run.requestId],
		output: adapterOf(run.agent).printUnjudged(run.profile, say),
		problem: problemLine('', say),
		...(run.profile === 'supervisor' && { refusal: unparsedInput(reason) }),
	};
}

/** Answers when something failed on our side: the profile's answer, and a warning wherever it can still be written. */
export function reportFailure(error: unknown, hook: AgentHook, run: HookRun, ports: Ports): HookAnswer {
	const reason = failureWords(error);
	const told = attempt(() => warn(hook, run, ports, 'hook/failed', reason));
	if (!told) attempt(() => warn(homeHook(run), run, ports, 'hook/failed', reason));
	const output = adapterOf(run.agent).printUnjudged(run.profile, reason);
	return { sessionId: hook.sessionId, keys: [run.requestId], output, problem: problemLine(hook.name, reason) };
}

/**
 * The answer of a hook whose lines could not be written after all (`Ports.appendLater`): a verdict on its call stands, what
 * nothing was said of gets the profile's answer. Nothing is judged again.
 */
export function answerUnwritten(answer: HookAnswer, error: unknown, run: HookRun, ports: Ports): HookAnswer {
	const { sessionId, keys, isJudged, output } = answer;
	const failed = reportFailure(error, { ...homeHook(run), sessionId }, run, ports);
	return { ...failed, keys, ...(isJudged && { output }) };
}

/** A failure on our side, for the person. */
export function failureWords(error: unknown): string {
	const what = printable(error instanceof Error ? error.message : String(error), 300);
	return `this hook could not be handled (${what}).`;
}

/** `[overtone/SessionStart] reason`: one form for all hooks; where the input names none, `hook` stands for it. */
function problemLine(event: string, reason: string): string {
	return `[overtone/${printable(event, 60) || 'hook'}] ${reason}`;
}

/** A hook of which nothing is known. */
function homeHook({ agent = FIRST_AGENT }: HookRun): AgentHook {
	return { agent, at: 'other', name: '', sessionId: HOME_SESSION, raw: {} };
}

function warn(hook: AgentHook, run: HookRun, ports: Ports, code: string, message: string): void {
	ports.append(hook.sessionId, seal([{ type: 'system:warning', code, message }], hook, run, ports, 'warning'));
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
