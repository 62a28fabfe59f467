import { createHmac, createPrivateKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { Log } from '../../process/log.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';

/** Where something may be new. */
export type HintTopic = `s:${string}` | 'list' | `edge:${number}` | 'people' | `tickets:${number}`;

type HintListener = (body: string | undefined) => void;

export interface HintState {
	shared: boolean;
	up: boolean;
	sent: number;
	unsent: number;
	received: number;
	unproven: number;
	topics: number;
}

/** A hint may be lost, repeated or stale: it only speeds up what is read from the database every two seconds anyway. */
export interface Hints {
	send(topic: HintTopic, body?: string): void;
	listen(topic: HintTopic, listener: HintListener): () => void;
	state(): HintState;
	stop(): Promise<void>;
}

/** Within one process: enough for a single replica. */
export function createLocalHints(
	failed: (error: unknown) => void,
	listeners = new Map<HintTopic, Set<HintListener>>(),
): Hints {
	let sent = 0;

	return {
		send(topic, body) {
			sent += 1;
			for (const listener of listeners.get(topic) ?? []) {
				try {
					listener(body);
				} catch (error) {
					failed(error);
				}
			}
		},
		listen(topic, listener) {
			const all = listeners.get(topic) ?? new Set();
			listeners.set(topic, all.add(listener));
			return () => {
				all.delete(listener);
				if (all.size === 0 && listeners.get(topic) === all) listeners.delete(topic);
			};
		},
		state: () => ({ shared: false, up: true, sent: sent, unsent: 0, received: 0, unproven: 0, topics: listeners.size }),
		stop: async () => listeners.clear(),
	};
}

const BACKOFF = { leastMs: 100, mostMs: 5000 };
const STEADY_MS = 10_000;
const SILENT_MS = 15_000;
const PING_MS = 5000;
const MAX_IN_FLIGHT = 10_000;

interface RedisHintsOptions {
	url: string;
	privateKey: string;
	lost: (error: unknown) => void;
	found: () => void;
	failed: (error: unknown) => void;
	random?: () => number;
}

/**
 * Publish and subscribe over Redis or Valkey, one channel a topic. While Redis is away hints are dropped; then every listener
 * looks once.
 */
export function createRedisHints(options: RedisHintsOptions): Hints {
	const { url, privateKey, lost, found, failed, random = Math.random } = options;
	const topics = new Map<HintTopic, Set<HintListener>>();
	const local = createLocalHints(failed, topics);
	const seal = createHintSeal(privateKey);
	let trying: ReturnType<typeof connection> | undefined;
	let live: ReturnType<typeof connection> | undefined;
	const ending = new AbortController();
	let upAt = Number.POSITIVE_INFINITY;
	let inFlight = 0;
	let isLost = false;
	const counts = { sent: 0, unsent: 0, received: 0, unproven: 0 };

	/** No automatic reconnect: each try is a new connection. */
	const connection = () =>
		createClient({
			url,
			disableOfflineQueue: true,
			pingInterval: PING_MS,
			maintNotifications: 'disabled',
			socket: { connectTimeout: PING_MS, socketTimeout: SILENT_MS, reconnectStrategy: false },
		});

	function acceptHint(message: string, channel: string) {
		const topic = seal.topicOf(channel);
		const opened = seal.open(channel, message);
		if (opened === 'own' || !topics.has(topic)) return;
		counts.received += 1;
		if (opened === 'unproven') counts.unproven += 1;
		local.send(topic, opened === 'unproven' ? undefined : opened.body);
	}

	async function serve(): Promise<unknown> {
		const client = connection();
		const ended = new Promise<unknown>((resolve) => client.on('error', resolve).on('end', resolve));
		trying = client;
		try {
			await client.connect();
			live = client;
			if (topics.size > 0) await client.subscribe([...topics.keys()].map(seal.channelOf), acceptHint);
			upAt = performance.now();
			if (isLost) found();
			isLost = false;
			for (const topic of topics.keys()) local.send(topic);
			return await ended;
		} finally {
			live = undefined;
			client.destroy();
		}
	}

	async function keepConnected() {
		let failures = 0;
		while (!ending.signal.aborted) {
			const why = await serve().catch((error: unknown) => error);
			if (ending.signal.aborted) return;
			if (!isLost) lost(why);
			isLost = true;
			failures = performance.now() - upAt >= STEADY_MS ? 1 : failures + 1;
			upAt = Number.POSITIVE_INFINITY;
			const most = Math.min(BACKOFF.mostMs, BACKOFF.leastMs * 2 ** Math.min(failures, 10));
			await pause(BACKOFF.leastMs + random() * most, undefined, { ref: false, signal: ending.signal }).catch(
				() => undefined,
			);
		}
	}
	void keepConnected();

	/** A failed request ends the connection; the next one subscribes to everything. */
	const ask = (work: (client: NonNullable<typeof live>) => Promise<unknown>) => {
		const client = live;
		if (client) work(client).catch(() => client.destroy());
	};

	return {
		send(topic, body) {
			local.send(topic, body);
			counts.sent += 1;
			if (!live?.isReady || inFlight >= MAX_IN_FLIGHT) {
				counts.unsent += 1;
				return;
			}
			inFlight += 1;
			const channel = seal.channelOf(topic);
			live
				.publish(channel, seal.close(channel, body))
				.catch(() => {
					counts.unsent += 1;
				})
				.finally(() => {
					inFlight -= 1;
				});
		},
		listen(topic, listener) {
			const isNew = !topics.has(topic);
			const stop = local.listen(topic, listener);
			if (isNew) ask((client) => client.subscribe(seal.channelOf(topic), acceptHint));
			return () => {
				stop();
				if (topics.has(topic)) return;
				ask((client) => client.unsubscribe(seal.channelOf(topic), acceptHint));
			};
		},
		state: () => ({ ...local.state(), shared: true, up: Number.isFinite(upAt), ...counts }),
		async stop() {
			ending.abort();
			trying?.destroy();
			await local.stop();
		},
	};
}

interface OpenHintsOptions {
	redisUrl: string | undefined;
	privateKey: string;
	log: Log;
}

export function openHints({ redisUrl, privateKey, log }: OpenHintsOptions): Hints {
	const failed = (error: unknown) => log.error('hub: a hint could not be followed', error);
	if (redisUrl === undefined) return createLocalHints(failed);
	return createRedisHints({
		url: redisUrl,
		privateKey,
		failed,
		lost: (error) =>
			log.warn('hub: Redis does not answer; what other replicas write is seen within two seconds', {
				reason: String(error),
			}),
		found: () => log.info('hub: Redis answers again'),
	});
}

const MARK_BYTES = 16;

/** Others may write to a channel: a body counts only with a mark that needs the hub's key, over channel and body. */
export function createHintSeal(privateKey: string) {
	const secret = createPrivateKey(privateKey).export({ format: 'der', type: 'pkcs8' });
	const derive = (what: string, bytes: number) =>
		Buffer.from(hkdfSync('sha256', secret, '', `signalbox hub hints: ${what}`, bytes));
	const key = derive('mark', 32);
	const prefix = `signalbox:${derive('channel', 9).toString('base64url')}:`;
	const self = randomBytes(6).toString('base64url');
	const markOf = (channel: string, from: string, body: string) =>
		createHmac('sha256', key).update(`${channel} ${from} ${body}`).digest().subarray(0, MARK_BYTES);

	return {
		channelOf: (topic: HintTopic) => `${prefix}${topic}`,
		topicOf: (channel: string) => channel.slice(prefix.length) as HintTopic,
		close: (channel: string, body: string | undefined): string =>
			body === undefined ? self : `${self} ${markOf(channel, self, body).toString('base64url')} ${body}`,
		open(channel: string, message: string): { body: string | undefined } | 'own' | 'unproven' {
			const [, from = '', mark, body] = /^(\S+)(?: (\S+) (.*))?$/s.exec(message) ?? [];
			if (from === self) return 'own';
			if (mark === undefined || body === undefined) return { body: undefined };
			const given = Buffer.from(mark, 'base64url');
			const isRight = given.length === MARK_BYTES && timingSafeEqual(given, markOf(channel, from, body));
			return isRight ? { body } : 'unproven';
		},
	};
}

const GATHER_MS = 50;
const MAX_LINES = 100;

const LINE = /^(\d{1,9}\/[A-Za-z0-9_-]{1,256}) (\d{1,10}) ([0-9a-f-]{36})$/;

export interface SessionHead {
	name: string;
	epoch: string;
	seq: number;
}

const headLine = ({ name, seq, epoch }: SessionHead) => `${name} ${seq} ${epoch}`;

export function readHeadHint(body: string | undefined): SessionHead[] | undefined {
	const heads: SessionHead[] = [];
	for (const line of body?.split('\n') ?? []) {
		const [, name, seq, epoch] = LINE.exec(line) ?? [];
		if (name === undefined || epoch === undefined) return;
		heads.push({ name, seq: Number(seq), epoch });
	}
	return heads.length > 0 ? heads : undefined;
}

export function createWriteHints(hints: Pick<Hints, 'send'>) {
	let listed = new Map<string, SessionHead>();
	let timer: NodeJS.Timeout | undefined;

	function sendList() {
		timer = undefined;
		const lines = [...listed.values()].map(headLine);
		listed = new Map();
		hints.send('list', lines.length > MAX_LINES ? undefined : lines.join('\n'));
	}

	return {
		noteWritten({ sessionId: name, epoch, view: { seq } }: TailBatch, isListed: boolean) {
			const head = { name, epoch, seq };
			hints.send(`s:${name}`, headLine(head));
			if (!isListed) return;
			listed.set(name, head);
			timer ??= setTimeout(sendList, GATHER_MS).unref();
		},
		stop: () => clearTimeout(timer),
	};
}
