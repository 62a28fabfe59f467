import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { AppError } from '#lib/contract/errors.ts';
import { isKnown } from '#lib/contract/events/is-known.ts';
import type { ChannelState } from '#lib/contract/health/status.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { type Notification, notificationOf } from '#lib/notify/notification.ts';
import {
	isQuiet,
	type NamedChannel,
	type NotifySettings,
	readNotifySettings,
	wantsEvent,
} from '#lib/notify/notify-settings.ts';
import { askedOf } from '#lib/session/fold-approval.ts';
import type { WorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import type { Log } from '../../process/log.ts';
import { readConfig } from '../../process/read-config.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { pause, ServiceFailure } from '../outgoing/call-service.ts';
import { type Channel, openChannel } from './open-channel.ts';
import type { PushStore } from './push-store.ts';
import { createBotService, startTelegramPoller, type TelegramPoller } from './telegram-poller.ts';

/** A call that waits, as far as a link to it must know it; `deadline` is ISO. */
export interface WaitingCall {
	approvalId: string;
	deadline: string;
}

/** Tells people on their channels what happens, whether or not a browser is open. */
export interface Notifier {
	/** Whether somebody hears of a question at once, now. */
	reachesPerson(): boolean;
	/** Each channel that can send, and how its last message went. */
	channels(): ChannelState[];
	stop(): Promise<void>;
}

const REMEMBERED = 5000;
const QUESTION = 'approval:request';
const ENDS = ['approval:resolve', 'approval:expire', 'approval:abandon'];

export function createNotifier(options: {
	channels: readonly { settings: NamedChannel; channel: Channel }[];
	tail: Pick<Tail, 'onBatch'>;
	/** The path that opens one waiting call, once; a new one at each call. */
	linkTo: (question: WaitingCall) => string;
	/** Where people reach the dashboard, without a slash at the end. */
	address: string;
	now: () => number;
	log: Log;
	retryMs?: readonly number[];
}): Notifier {
	const { channels, tail, linkTo, address, now, log, retryMs } = options;
	const since = now();
	const notifiedIds = new Set<string>();
	const escalations = createEscalations(now);
	const sinks = channels.map(({ settings, channel }) => ({
		settings,
		reaches: () => channel.reaches?.() ?? true,
		queue: createChannelQueue({ name: settings.name, channel, log, ...(retryMs && { retryMs }) }),
	}));

	const isQuietNow = ({ quiet }: NamedChannel) => {
		const clock = new Date(now());
		return isQuiet(quiet, clock.getHours() * 60 + clock.getMinutes());
	};

	/** The index may be rebuilt and read everything again: old news is none. A forged line proves nothing. */
	const isNews = (event: IndexedEvent) =>
		!event.unverified && !isRunningReview(event) && Date.parse(event.ts) >= since && !notifiedIds.has(event.id);

	/** A push reaches a browser that is signed in, sealed; everything else goes through other people's servers. */
	function forChannel({ kind }: NamedChannel, event: IndexedEvent, notification: Notification): Notification {
		const isPlain = kind === 'push' || !isKnown(event) || event.type !== QUESTION;
		return isPlain ? notification : { ...notification, url: `${address}${linkTo(event)}` };
	}

	function tell(event: IndexedEvent, view: SessionView) {
		const wanting = sinks.filter(({ settings, reaches }) => reaches() && wantsEvent(settings.events, event.type));
		if (wanting.length === 0) return;
		notifiedIds.add(event.id);
		const [oldest] = notifiedIds;
		if (oldest !== undefined && notifiedIds.size > REMEMBERED) notifiedIds.delete(oldest);
		const notification = notificationOf(event, view, address);
		for (const { settings, queue } of wanting) {
			const push = () => {
				if (!isQuietNow(settings)) queue.push(forChannel(settings, event, notification));
			};
			const { escalateSeconds } = settings;
			if (escalateSeconds !== undefined && event.type === QUESTION) escalations.plan(event, escalateSeconds, push);
			else push();
		}
	}

	const stopListening = tail.onBatch(({ events, view }) => {
		for (const event of events) {
			if (!isNews(event)) continue;
			if (ENDS.includes(event.type)) escalations.cancel(event);
			tell(event, view);
		}
	});

	return {
		reachesPerson: () =>
			sinks.some(
				({ settings, reaches }) =>
					reaches() &&
					wantsEvent(settings.events, QUESTION) &&
					settings.escalateSeconds === undefined &&
					!isQuietNow(settings),
			),
		channels: () =>
			sinks
				.filter(({ reaches }) => reaches())
				.map(({ settings: { name, kind }, queue }) => ({ name, kind, missing: null, last: queue.last() })),
		async stop() {
			stopListening();
			escalations.stop();
			await Promise.all(sinks.map(({ queue }) => queue.stop()));
		},
	};
}

/** A supervisor's review goes on by itself: nobody waits for an answer. */
function isRunningReview(event: IndexedEvent): boolean {
	if (!isKnown(event) || event.type !== QUESTION) return false;
	const { review } = askedOf(event.facts);
	return review !== undefined && !review.isOver;
}

/** The messages of one channel, sent in order, one at a time. */
interface ChannelQueue {
	push(notification: Notification): void;
	/** How the last message went; null before the first. */
	last(): ChannelState['last'];
	/** Ends what is being sent; what waits is dropped, since it would be old at the next start. */
	stop(): Promise<void>;
}

/** A channel that is down must not fill the memory; the newest messages count. */
const MOST_WAITING = 100;
const RETRY_MS = [1000, 5000, 25_000];

function createChannelQueue(options: {
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

/** What the notifications need from the rest of the server. */
export interface NotifyOptions {
	tail: Pick<Tail, 'onBatch' | 'views'>;
	ports: Ports;
	/** Where a chat's stop is done. */
	workflows: WorkflowControl;
	/** The path that opens one waiting call, once; a new one at each call. */
	linkTo: (question: WaitingCall) => string;
	/** The browsers that asked to be told. */
	pushStore: PushStore;
	/** The server's own address, for links, unless the settings name another. */
	address: string;
	env: Readonly<Record<string, string | undefined>>;
	now: () => number;
	log: Log;
}

/** Reads `notify` of `config.json` once and starts what it asks for; what is wrong there is said in the log. */
export function startNotify({
	tail,
	ports,
	workflows,
	linkTo,
	pushStore,
	address,
	env,
	now,
	log,
}: NotifyOptions): Notifier {
	const settings = readNotifySettings(readConfig(ports), env);
	for (const problem of settings.problems) log.warn(`config.json: ${problem}`);
	const pollers: TelegramPoller[] = [];
	const service = createBotService({ views: tail.views, stop: (sessionId) => stopIn(workflows, sessionId), now });
	const leftOut: ChannelState[] = [];
	const channels = [...settings.channels, ...(settings.push ? [settings.push] : [])].flatMap((one) => {
		const opened = openChannel(one, env, pushStore, settings.address);
		if (!opened.ok) {
			log.warn('notify: a channel is left out, because its environment variable is not set', {
				channel: one.name,
				variable: opened.missing,
			});
			leftOut.push({ name: one.name, kind: one.kind, missing: opened.missing, last: null });
			return [];
		}
		if (opened.telegram && one.kind === 'telegram') {
			pollers.push(startTelegramPoller({ api: opened.telegram, chats: one.chats, service, now, log }));
		}
		return [{ settings: one, channel: opened.channel }];
	});
	const notifier = createNotifier({ channels, tail, linkTo, address: placeOf(settings, address), now, log });
	return {
		reachesPerson: notifier.reachesPerson,
		channels: () => [...notifier.channels(), ...leftOut],
		async stop() {
			await Promise.all([notifier.stop(), ...pollers.map((poller) => poller.stop())]);
		},
	};
}

/** A chat may brake, never allow: nothing that was denied can be let through from there. False when nothing runs. */
async function stopIn(workflows: WorkflowControl, sessionId: string): Promise<boolean> {
	try {
		await workflows.act(sessionId, { action: 'stop' }, { role: 'chat', via: 'telegram' });
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'workflow/state') return false;
		throw error;
	}
}

function placeOf({ address }: NotifySettings, own: string): string {
	return (address ?? own).replace(/\/+$/, '');
}

/** Questions that a second channel hears of only if nobody has answered when the deadline comes near. */
export interface Escalations {
	plan(question: IndexedEvent, secondsBefore: number, push: () => void): void;
	/** The question has ended. */
	cancel(end: IndexedEvent): void;
	stop(): void;
}

export function createEscalations(now: () => number): Escalations {
	const timers = new Map<string, NodeJS.Timeout[]>();
	const drop = (approvalId: string) => {
		for (const timer of timers.get(approvalId) ?? []) clearTimeout(timer);
		timers.delete(approvalId);
	};
	return {
		plan(question, secondsBefore, push) {
			if (!isKnown(question) || question.type !== 'approval:request') return;
			const { approvalId, deadline } = question;
			const leftMs = Date.parse(deadline) - now();
			const pushing = setTimeout(push, Math.max(0, leftMs - secondsBefore * 1000)).unref();
			// An end that is never told, as after a crash, must not keep its question in memory.
			const forgetting = setTimeout(drop, Math.max(0, leftMs), approvalId).unref();
			timers.set(approvalId, [...(timers.get(approvalId) ?? []), pushing, forgetting]);
		},
		cancel(end) {
			if ('approvalId' in end && typeof end.approvalId === 'string') drop(end.approvalId);
		},
		stop() {
			for (const approvalId of [...timers.keys()]) drop(approvalId);
		},
	};
}
