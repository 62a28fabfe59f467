import { createHmac, createPrivateKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { Log } from '../../process/log.ts';
import { createLocalHints, type Hints, type HintTopic } from './hints.ts';

/** Between two tries to connect: drawn anew each time, and longer with each that fails. */
const BACKOFF = { leastMs: 100, mostMs: 5000 };
/** A connection that stood so long has been a good one. */
const STEADY_MS = 10_000;
/** One that says nothing for so long, though it is asked in between, is none any more. */
const SILENT_MS = 15_000;
const PING_MS = 5000;
/** Hints that Redis has not taken yet; what would be more is not sent. */
const MOST_IN_FLIGHT = 10_000;

export interface RedisHintsOptions {
	/** `redis://` or `rediss://`. */
	url: string;
	/** The hub's private key (PEM): a hint counts for what it says only by a mark that needs it. */
	privateKey: string;
	/** Called when hints stop going between replicas, and why; nothing more until they go again. */
	lost: (error: unknown) => void;
	found: () => void;
	/** Called with what a listener throws. */
	failed: (error: unknown) => void;
	/** Of the pause between two tries, 0 to 1. */
	random?: () => number;
}

/**
 * Hints between replicas, over Redis' or Valkey's publish and subscribe: a channel a topic, and only those are heard that
 * somebody here hears. Within this process a hint is told without it. While Redis is away hints to others are dropped, and
 * once it is back every listener is told that there may be something new.
 */
export function createRedisHints(options: RedisHintsOptions): Hints {
	const { url, privateKey, lost, found, failed, random = Math.random } = options;
	const local = createLocalHints(failed);
	const seal = createHintSeal(privateKey);
	/** How many listeners each topic has. */
	const topics = new Map<HintTopic, number>();
	/** The connection that is made or stands, and the one on which may be asked. */
	let trying: ReturnType<typeof connection> | undefined;
	let live: ReturnType<typeof connection> | undefined;
	const ending = new AbortController();
	let upAt = Number.POSITIVE_INFINITY;
	let inFlight = 0;
	let isLost = false;
	const counts = { told: 0, unsent: 0, heard: 0, unproven: 0 };

	/** It does not connect again by itself: each try is a new one, so that nothing of an old one is left. */
	const connection = () =>
		createClient({
			url,
			disableOfflineQueue: true,
			pingInterval: PING_MS,
			maintNotifications: 'disabled',
			socket: { connectTimeout: PING_MS, socketTimeout: SILENT_MS, reconnectStrategy: false },
		});

	function take(message: string, channel: string) {
		const topic = seal.topicOf(channel);
		const opened = seal.open(channel, message);
		if (opened === 'own' || !topics.has(topic)) return;
		counts.heard += 1;
		if (opened === 'unproven') counts.unproven += 1;
		local.tell(topic, opened === 'unproven' ? undefined : opened.body);
	}

	/** One connection, from its beginning to its end; resolves with what ended it. */
	async function serve(): Promise<unknown> {
		const client = connection();
		const ended = new Promise<unknown>((resolve) => client.on('error', resolve).on('end', resolve));
		trying = client;
		try {
			await client.connect();
			live = client;
			if (topics.size > 0) await client.subscribe([...topics.keys()].map(seal.channelOf), take);
			upAt = performance.now();
			if (isLost) found();
			isLost = false;
			// What was told meanwhile was not heard here.
			for (const topic of topics.keys()) local.tell(topic);
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

	/** What cannot be asked of this connection ends it: the next one asks for all that is heard. */
	const ask = (work: (client: NonNullable<typeof live>) => Promise<unknown>) => {
		const client = live;
		if (client) work(client).catch(() => client.destroy());
	};

	return {
		tell(topic, body) {
			local.tell(topic, body);
			counts.told += 1;
			if (!live?.isReady || inFlight >= MOST_IN_FLIGHT) {
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
		hear(topic, listener) {
			const before = topics.get(topic) ?? 0;
			topics.set(topic, before + 1);
			const stop = local.hear(topic, listener);
			if (before === 0) ask((client) => client.subscribe(seal.channelOf(topic), take));
			let isOver = false;
			return () => {
				if (isOver) return;
				isOver = true;
				stop();
				const left = (topics.get(topic) ?? 1) - 1;
				if (left > 0) return void topics.set(topic, left);
				topics.delete(topic);
				ask((client) => client.unsubscribe(seal.channelOf(topic), take));
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
	/** SIGNALBOX_REDIS_URL; without it hints stay within this process. */
	redisUrl: string | undefined;
	/** The hub's private key (PEM). */
	privateKey: string;
	log: Log;
}

/** The hints of a replica. */
export function openHints({ redisUrl, privateKey, log }: OpenHintsOptions): Hints {
	const failed = (error: unknown) => log.error('hub: a hint could not be followed', error);
	if (redisUrl === undefined) return createLocalHints(failed);
	return createRedisHints({
		...{ url: redisUrl, privateKey, failed },
		lost: (error) =>
			log.warn('hub: Redis does not answer; what other replicas write is seen within two seconds', {
				reason: String(error),
			}),
		found: () => log.info('hub: Redis answers again'),
	});
}

const MARK_BYTES = 16;

/**
 * How a hint is written on a channel that others may write to, too: who sent it, and with a body a mark that only a replica of
 * this hub can make, over the channel as well, so that it says nothing elsewhere. A hub's channels have a name of its own.
 */
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
		/** What a message says; `own` is from this replica itself, `unproven` has a body that nobody need believe. */
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
