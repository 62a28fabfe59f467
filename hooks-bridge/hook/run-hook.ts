import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBounded } from '../disk/bounded-read.ts';
import { doorPath, overtoneHome } from '../disk/overtone-home.ts';
import { tryTo } from '../disk/try-to.ts';
import { askServer, isJsonObject } from '../door/ask-server.ts';
import {
	doorProof,
	type HookArgs,
	headersOf,
	isProfile,
	profileOf,
	readDoorKey,
	runFromEnv,
} from '../door/hook-run.ts';
import { refuseInput } from '../engine/record.ts';
import { respond } from '../engine/respond.ts';
import { createNodePorts } from '../node/node-ports.ts';
import type { HookAnswer, HookEnd } from '../ports/hook-answer.ts';
import type { HookRun, Profile } from '../ports/hook-run.ts';
import type { Ports } from '../ports/ports.ts';
import { LAST_URL, SERVER_PROGRAM, serverUrl } from '../ports/server-url.ts';
import { supervise } from '../supervisor/supervise.ts';

const STDIN_MS = 10_000;
/** Quotes inside a text are escaped in JSON, so only the field itself matches. */
const SESSION_START = /"hook_event_name":\s*"SessionStart"/;
const NO_PROFILE =
	"[overtone/hook] this hook's profile is none of observe, open, closed and supervisor: it counts as closed and denies what nobody can judge; correct the entry";

interface RunArgs extends HookArgs {
	offline: boolean;
	/** Whoever writes stdin closes it in time, so that one blocking call may read it. */
	isInputBounded: boolean;
	/** The caller wants proof that this process finished. */
	prove: boolean;
}

/**
 * One hook run in its own process: `signalbox hook`, and what hook.sh falls back to. Asks the door unless `--offline`; without a
 * usable answer judges here. `--request-fd` gives the request id; with `--prove` the proof follows on a line of its own.
 */
export async function runHook(argv: readonly string[]): Promise<HookEnd> {
	const args = readArgs(argv);
	const end = await answerHook(args);
	if (isProfile(args.profile)) return args.prove ? withProof(end, args) : end;
	return { ...end, stderr: [NO_PROFILE, end.stderr].filter(Boolean).join('\n') };
}

/** Shows that this process came to its end: one that was cut off, or lacks a part, does not. */
function withProof(end: HookEnd, { requestId = '' }: RunArgs): HookEnd {
	const key = readDoorKey(overtoneHome(process.env)) ?? '';
	return { ...end, stdout: `${end.stdout}\n${doorProof(key, requestId, end.stdout)}` };
}

/** The client and profile of a hook that could not even answer. */
export function clientAndProfile(argv: readonly string[]): { agent: string | undefined; profile: Profile } {
	const { agent, profile } = readArgs(argv);
	return { agent, profile: profileOf(profile, process.env) };
}

async function answerHook(args: RunArgs): Promise<HookEnd> {
	const began = Date.now();
	// The folder may have been removed while the agent worked in it.
	const ownProcess = { freshId: randomUUID, cwd: tryTo(() => process.cwd()) ?? '', ppid: process.ppid };
	const run = runFromEnv(args, process.env, ownProcess);
	const home = overtoneHome(process.env);
	const budget = (run.timeoutSeconds ?? 60) * 1000;
	const input = await readStdin(Math.min(STDIN_MS, budget / 2), args.isInputBounded);
	const ports = createNodePorts({ home, once: true });
	if (!input.ok) return hookEnd(refuseInput(input.text, input.reason, run, ports));
	const { text } = input;
	const judge = async (): Promise<HookEnd> => {
		const answer = args.offline ? undefined : await askDoorFor(text, run, home);
		return answer ?? judgeHere(text, run, ports, home);
	};
	if (run.profile !== 'supervisor') return judge();
	const door = { socketPath: doorPath(home), headers: headersOf(run, process.env) };
	try {
		return await supervise({ text, run, ports, env: process.env, began, others: judge, door });
	} catch {
		// The review could not begin, so the verdicts of the other gates count. A recorded run is not recorded again.
		return judge();
	}
}

/** The gates' answer from the door; undefined without a usable one. */
async function askDoorFor(text: string, run: HookRun, home: string): Promise<HookEnd | undefined> {
	const reply = await askServer(home, text, run, process.env);
	if (reply.kind === 'refusal') return { stdout: '', stderr: reply.text, exitCode: 2 };
	const isUsable = reply.kind === 'output' && (reply.text === '' || isJsonObject(reply.text));
	return isUsable ? { stdout: reply.text, stderr: '', exitCode: 0 } : undefined;
}

/** The gates' answer, judged in this process. */
async function judgeHere(text: string, run: HookRun, ports: Ports, home: string): Promise<HookEnd> {
	const answer = respond(text, run, ports);
	if (answer.output !== null && SESSION_START.test(text)) await startServer(home);
	return hookEnd(answer);
}

/** Called if a session's start has output, which is a workflow's guidance. A failure must not cost the answer. */
async function startServer(home: string): Promise<void> {
	try {
		const { spawn } = await import('node:child_process');
		startDashboard(home, process.env, (program, args) => {
			spawn(process.execPath, [program, ...args], { detached: true, stdio: 'ignore', cwd: home }).unref();
		});
	} catch {
		// Without a server hooks judge by themselves, as this one did.
	}
}

/**
 * Starts the server for a session that workflows guide (seed 001), on its last port, where bookmarks and sign-ins are valid. Not
 * if the installation is unknown or OVERTONE_NO_DASHBOARD is set. A home that has a server keeps that one. Returns whether it was
 * started.
 */
export function startDashboard(
	home: string,
	env: Readonly<Record<string, string | undefined>>,
	start: (program: string, args: readonly string[]) => void,
): boolean {
	if (env.OVERTONE_NO_DASHBOARD) return false;
	const noted = readBounded(join(home, SERVER_PROGRAM), home);
	const program = noted.ok ? noted.text.trim() : '';
	if (!program.startsWith('/') || !statSync(program, { throwIfNoEntry: false })?.isFile()) return false;
	const last = readBounded(join(home, LAST_URL), home);
	const url = serverUrl(last.ok ? last.text : null);
	const isChosen = url === null || Boolean(env.SIGNALBOX_PORT);
	start(program, isChosen ? ['start'] : ['start', '--port', new URL(url).port]);
	return true;
}

function hookEnd(answer: HookAnswer): HookEnd {
	if (answer.refusal !== undefined) return { stdout: '', stderr: answer.refusal, exitCode: 2 };
	return { stdout: answer.output ? JSON.stringify(answer.output) : '', stderr: answer.problem ?? '', exitCode: 0 };
}

/** Tolerant: an installed entry of another version must not break the agent. */
function readArgs(argv: readonly string[]): RunArgs {
	const { values } = parseArgs({
		args: argv.map(withValue(argv)),
		strict: false,
		options: {
			agent: { type: 'string' },
			profile: { type: 'string' },
			timeout: { type: 'string' },
			'request-id': { type: 'string' },
			offline: { type: 'boolean' },
			ended: { type: 'boolean' },
			'request-fd': { type: 'string' },
			prove: { type: 'boolean' },
		},
	});
	const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
	return {
		agent: text(values.agent),
		profile: values.profile === undefined ? undefined : String(values.profile),
		timeout: text(values.timeout),
		requestId: text(values['request-id']) ?? readRequestId(text(values['request-fd'])),
		offline: values.offline === true,
		isInputBounded: values.ended === true,
		prove: values.prove === true,
	};
}

/** Gives an option without a value the value `?`, or it would consume the next option. An unknown profile counts as closed. */
const withValue =
	(argv: readonly string[]) =>
	(arg: string, index: number): string => {
		const needsValue = arg === '--agent' || arg === '--profile' || arg === '--timeout';
		return needsValue && (argv[index + 1]?.startsWith('--') ?? true) ? `${arg}=?` : arg;
	};

/** The run's id comes from a descriptor: every process can read a command line. */
function readRequestId(descriptor: string | undefined): string | undefined {
	if (descriptor === undefined) return undefined;
	return tryTo(() => {
		const name = readFileSync(Number(descriptor), 'utf8').trim();
		closeSync(Number(descriptor));
		return name;
	});
}

const MAX_INPUT_BYTES = 32 * 1024 * 1024;

const TOO_LATE = 'the hook input did not end in time';
const TOO_LARGE = 'the hook input is larger than 32 MiB';

/** The input on stdin, or why it is incomplete; `text` is then what arrived. */
type StdinRead = { ok: true; text: string } | { ok: false; text: string; reason: string };

/** Reads at most 32 MiB within `deadlineMs`. */
function readStdin(deadlineMs: number, isInputBounded: boolean): Promise<StdinRead> {
	const whole = isInputBounded ? readBoundedInput() : readRegularFile();
	if (whole) return Promise.resolve(whole);
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let length = 0;
		const finish = (reason?: string): void => {
			clearTimeout(timer);
			const text = Buffer.concat(chunks).toString('utf8');
			resolve(reason === undefined ? { ok: true, text } : { ok: false, text, reason });
			if (reason !== undefined) process.stdin.destroy();
		};
		const timer = setTimeout(() => finish(TOO_LATE), deadlineMs);
		process.stdin.on('data', (chunk: Buffer) => {
			chunks.push(chunk);
			length += chunk.length;
			if (length > MAX_INPUT_BYTES) finish(TOO_LARGE);
		});
		process.stdin.on('end', () => finish());
		process.stdin.on('error', () => finish('the hook input could not be read'));
	});
}

/** Blocks until the writer closes stdin; a last zero byte says that the input is incomplete. Undefined if it cannot be read. */
function readBoundedInput(): StdinRead | undefined {
	const bytes = tryTo(() => readFileSync(0));
	if (!bytes) return undefined;
	const isLate = bytes.at(-1) === 0;
	const text = bytes.toString('utf8', 0, bytes.length - (isLate ? 1 : 0));
	if (isLate) return { ok: false, text, reason: TOO_LATE };
	return bytes.length > MAX_INPUT_BYTES ? { ok: false, text, reason: TOO_LARGE } : { ok: true, text };
}

/** A file ends by itself; loading the streams that wait for a client costs 3 ms. */
function readRegularFile(): StdinRead | undefined {
	return tryTo(() => {
		const stat = fstatSync(0);
		const isWhole = stat.isFile() && stat.size <= MAX_INPUT_BYTES;
		return isWhole ? { ok: true, text: readFileSync(0, 'utf8') } : undefined;
	});
}
