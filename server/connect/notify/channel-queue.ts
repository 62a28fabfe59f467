import type { ChannelState } from '#lib/contract/health/status.ts';
import type { Notification } from '#lib/notify/notification.ts';
import type { Log } from '../../process/log.ts';
import { pause } from '../outgoing/pause.ts';
import { ServiceFailure } from '../outgoing/service-failure.ts';
import type { Channel } from './channel.ts';

/** The messages of one channel, sent in order, one at a time. */
export interface ChannelQueue {
	push(notification: Notification): void;
	/** How the last message went; null before the first. */
	last(): ChannelState['last'];
	/** Ends what is being sent; what waits is dropped, since it would be old at the next start. */
	stop(): Promise<void>;
}

/** A channel that is down must not fill the memory; the newest messages count. */
const MOST_WAITING = 100;
const RETRY_MS = [1000, 5000, 25_000];

export function createChannelQueue(options: {
	name: string;
	channel: Channel;
	log: Log;
	/** Pauses in milliseconds between the tries of one message. */
	retryMs?: readonly number[];
}): ChannelQueue {
	const { name, channel, log, retryMs = RETRY_MS } = options;
	const waiting: Notification[] = [];
	const stopping = new AbortController();
	let working: Promise<void> | null = null;
	let last: ChannelState['last'] = null;
	const note = (reason: string | null) => {
		last = { ts: new Date().toISOString(), ok: reason === null, reason };
	};

	async function deliver(notification: Notification): Promise<void> {
		for (let tried = 0; ; tried += 1) {
			try {
				await channel.send(notification, stopping.signal);
				return note(null);
			} catch (error) {
				const pauseMs = retryMs[tried];
				const failure = error instanceof ServiceFailure ? error : new ServiceFailure('it failed', { isFinal: true });
				if (stopping.signal.aborted) return;
				if (pauseMs === undefined || failure.isFinal) {
					note(failure.message);
					log.warn('notify: a message was not delivered', {
						channel: name,
						type: notification.type,
						reason: failure.message,
					});
					return;
				}
				await pause(failure.waitMs ?? pauseMs, stopping.signal);
			}
		}
	}

	async function work(): Promise<void> {
		for (let next = waiting.shift(); next && !stopping.signal.aborted; next = waiting.shift()) await deliver(next);
		working = null;
	}

	return {
		last: () => last,
		push(notification) {
			if (stopping.signal.aborted) return;
			waiting.push(notification);
			if (waiting.length > MOST_WAITING) {
				waiting.shift();
				log.warn('notify: too many messages wait; the oldest is dropped', { channel: name });
			}
			working ??= work();
		},
		async stop() {
			stopping.abort();
			await working;
		},
	};
}
