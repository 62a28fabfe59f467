import { Worker } from 'node:worker_threads';
import { AppError } from '#lib/contract/errors.ts';
import type { DecodedBody, OtlpBody } from './decode-body.ts';

/** A body that takes longer is refused, and its thread ended. */
const LONGEST_MS = 10_000;
/** Bodies that wait for the thread or are read by it. */
const MOST_WAITING = 8;
const MOST_MEGABYTES = 512;

/** Reads bodies on a thread of its own: what somebody sends must not hold up a hook, whatever it is. */
export interface Decoder {
	/** Rejects with `otlp/busy` where too many wait, `otlp/slow` and `otlp/too-large` where a body is too much. */
	decode(body: OtlpBody): Promise<DecodedBody>;
	stop(): Promise<void>;
}

interface Task {
	body: OtlpBody;
	resolve: (decoded: DecodedBody) => void;
	reject: (error: Error) => void;
}

/** The thread is started with the first body, and again after one that ended it. */
export function createDecoder(options: { longestMs?: number } = {}): Decoder {
	const { longestMs = LONGEST_MS } = options;
	const waiting: Task[] = [];
	let worker: Worker | undefined;
	let current: { task: Task; timer: NodeJS.Timeout } | undefined;

	function start(): Worker {
		const started = new Worker(program(), {
			execArgv: [],
			resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
		});
		// An idle thread keeps no server from ending.
		started.unref();
		started.on('message', (decoded: DecodedBody) => settle((task) => task.resolve(decoded)));
		// What ends a thread by itself is a body that its memory could not hold.
		started.on('error', () => lose(started, 'otlp/too-large'));
		started.on('exit', () => lose(started, 'otlp/busy'));
		return started;
	}

	function lose(lost: Worker, code: 'otlp/too-large' | 'otlp/slow' | 'otlp/busy') {
		if (worker !== lost) return;
		worker = undefined;
		void lost.terminate();
		settle((task) => task.reject(new AppError(code)));
	}

	function settle(how: (task: Task) => void) {
		if (!current) return;
		const { task, timer } = current;
		clearTimeout(timer);
		current = undefined;
		how(task);
		next();
	}

	function next() {
		const task = current ? undefined : waiting.shift();
		if (!task) return;
		worker ??= start();
		const reader = worker;
		current = { task, timer: setTimeout(() => lose(reader, 'otlp/slow'), longestMs) };
		reader.postMessage(task.body);
	}

	return {
		decode(body) {
			if (waiting.length >= MOST_WAITING) return Promise.reject(new AppError('otlp/busy'));
			return new Promise((resolve, reject) => {
				waiting.push({ body, resolve, reject });
				next();
			});
		},
		async stop() {
			for (const task of waiting.splice(0)) task.reject(new AppError('otlp/busy'));
			const ending = worker;
			if (ending) lose(ending, 'otlp/busy');
			await ending?.terminate();
		},
	};
}

/** `dist/` holds the built worker beside the program. */
function program(): URL {
	return import.meta.url.endsWith('.ts')
		? new URL('./decode-worker-from-source.mjs', import.meta.url)
		: new URL('./decode-worker.js', import.meta.url);
}
