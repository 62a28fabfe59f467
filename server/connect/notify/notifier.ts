import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { AppError } from '#lib/contract/errors.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { ChannelState } from '#lib/contract/health/status.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { type Notification, notificationOf } from '#lib/notify/notification.ts';
import { isQuiet, type NamedChannel, readNotifySettings, wantsEvent } from '#lib/notify/notify-settings.ts';
import { questionFacts } from '#lib/session/fold-approval.ts';
import type { WorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import type { Log } from '../../process/log.ts';
import { readConfig } from '../../process/read-config.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { pause, ServiceFailure } from '../outgoing/call-service.ts';
import { type Channel, openChannel } from './open-channel.ts';
import type { PushStore } from './push-store.ts';
import { createBotService, startTelegramPoller, type TelegramPoller } from './telegram-poller.ts';

interface NotifyOptions {
	tail: Pick<Tail, 'onBatch' | 'views'>;
	ports: Ports;
	workflows: WorkflowControl;
	/** A path that opens one waiting call once; each call gives another. `deadline` is ISO. */
	linkTo: (question: { approvalId: string; deadline: string }) => string;
	pushStore: PushStore;
	address: string;
	env: Readonly<Record<string, string | undefined>>;
	now: () => number;
	log: Log;
}

const REMEMBERED = 5000;
const QUESTION = 'approval:request';
const ENDS = ['approval:resolve', 'approval:expire', 'approval:abandon'];

/** Notifies people on the channels that `notify` of `config.json` names, whether or not a browser is open. */
export function startNotify(options: NotifyOptions) {
	const { tail, linkTo, now } = options;
	const { channels, leftOut, pollers, settings } = openChannels(options);
	const address = (settings.address ?? options.address).replace(/\/+$/, '');
	const since = now();
	const notifiedIds = new Set<string>();
	const escalations = createEscalations(now);

	function isQuietNow({ quiet }: NamedChannel): boolean {
		const clock = new Date(now());
		return isQuiet(quiet, clock.getHours() * 60 + clock.getMinutes());
	}

	/** A rebuilt index reads everything again: old events are not reported. A forged line proves nothing. */
	const isNews = (event: IndexedEvent) =>
		!event.unverified && !isRunningReview(event) && Date.parse(event.ts) >= since && !notifiedIds.has(event.id);

	/** Web push is encrypted for a signed-in browser; other channels pass through other servers. */
	function forChannel({ kind }: NamedChannel, event: IndexedEvent, notification: Notification): Notification {
		const isPlain = kind === 'push' || !isKnown(event) || event.type !== QUESTION;
		return isPlain ? notification : { ...notification, url: `${address}${linkTo(event)}` };
	}

	function notify(event: IndexedEvent, view: SessionView): void {
		const wanting = channels.filter(({ one, reaches }) => reaches() && wantsEvent(one.events, event.type));
		if (wanting.length === 0) return;
		notifiedIds.add(event.id);
		const [oldest] = notifiedIds;
		if (oldest !== undefined && notifiedIds.size > REMEMBERED) notifiedIds.delete(oldest);
		const notification = notificationOf(event, view, address);
		for (const { one, queue } of wanting) {
			const push = () => {
				if (!isQuietNow(one)) queue.push(forChannel(one, event, notification));
			};
			const { escalateSeconds } = one;
			if (escalateSeconds !== undefined && event.type === QUESTION) escalations.plan(event, escalateSeconds, push);
			else push();
		}
	}

	const stopListening = tail.onBatch(({ events, view }) => {
		for (const event of events) {
			if (!isNews(event)) continue;
			if (ENDS.includes(event.type)) escalations.cancel(event);
			notify(event, view);
		}
	});

	return {
		reachesPerson: () =>
			channels.some(
				({ one, reaches }) =>
					reaches() && wantsEvent(one.events, QUESTION) && one.escalateSeconds === undefined && !isQuietNow(one),
			),
		channels(): ChannelState[] {
			const reaching = channels.filter(({ reaches }) => reaches());
			const states = reaching.map(({ one: { name, kind }, queue }) => ({
				name,
				kind,
				missing: null,
				last: queue.last(),
			}));
			return [...states, ...leftOut];
		},
		async stop(): Promise<void> {
			stopListening();
			escalations.stop();
			await Promise.all([...channels.map(({ queue }) => queue), ...pollers].map((one) => one.stop()));
		},
	};
}

function openChannels({ tail, ports, workflows, pushStore, env, now, log }: NotifyOptions) {
	const settings = readNotifySettings(readConfig(ports), env);
	for (const problem of settings.problems) log.warn(`config.json: ${problem}`);
	const pollers: TelegramPoller[] = [];
	const leftOut: ChannelState[] = [];
	const service = createBotService({ views: tail.views, stop: (sessionId) => stopIn(workflows, sessionId), now });
	const channels = [...settings.channels, ...(settings.push ? [settings.push] : [])].flatMap((one) => {
		const { name, kind } = one;
		const opened = openChannel(one, env, pushStore, settings.address);
		if (!opened.ok) {
			const { missing } = opened;
			log.warn('notify: a channel is left out, because its environment variable is not set', {
				channel: name,
				variable: missing,
			});
			leftOut.push({ name, kind, missing, last: null });
			return [];
		}
		const { channel, telegram } = opened;
		if (telegram && kind === 'telegram') {
			pollers.push(startTelegramPoller({ api: telegram, chats: one.chats, service, now, log }));
		}
		return [{ one, reaches: () => channel.reaches?.() ?? true, queue: createChannelQueue(name, channel, log) }];
	});
	return { channels, leftOut, pollers, settings };
}

/** A chat can stop work, never approve. False if nothing runs. */
async function stopIn(workflows: WorkflowControl, sessionId: string): Promise<boolean> {
	try {
		await workflows.act(sessionId, { action: 'stop' }, { role: 'chat', via: 'telegram' });
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'workflow/state') return false;
		throw error;
	}
}

/** A supervisor's review continues automatically: nobody waits for an answer. */
function isRunningReview(event: IndexedEvent): boolean {
	if (!isKnown(event) || event.type !== QUESTION) return false;
	const { review } = questionFacts(event.facts);
	return review !== undefined && !review.isOver;
}

/** If a channel is down, only the newest messages are kept, so that they do not fill the memory. */
const MAX_WAITING = 100;
const RETRY_MS = [1000, 5000, 25_000];

function createChannelQueue(name: string, channel: Channel, log: Log) {
	const waiting: Notification[] = [];
	const stopping = new AbortController();
	let working: Promise<void> | null = null;
	let last: ChannelState['last'] = null;

	async function deliver(notification: Notification): Promise<void> {
		const { type } = notification;
		for (let tried = 0; ; tried += 1) {
			const reason = await channel.send(notification, stopping.signal).then(() => null, asFailure);
			if (reason && stopping.signal.aborted) return;
			const pauseMs = RETRY_MS[tried];
			if (reason && !reason.isFinal && pauseMs !== undefined) {
				await pause(reason.waitMs ?? pauseMs, stopping.signal);
				continue;
			}
			last = { ts: new Date().toISOString(), ok: reason === null, reason: reason?.message ?? null };
			if (reason) log.warn('notify: a message was not delivered', { channel: name, type, reason: reason.message });
			return;
		}
	}

	async function deliverAll(): Promise<void> {
		for (let next = waiting.shift(); next && !stopping.signal.aborted; next = waiting.shift()) await deliver(next);
		working = null;
	}

	return {
		last: () => last,
		push(notification: Notification): void {
			if (stopping.signal.aborted) return;
			waiting.push(notification);
			if (waiting.length > MAX_WAITING) {
				waiting.shift();
				log.warn('notify: too many messages wait; the oldest is dropped', { channel: name });
			}
			working ??= deliverAll();
		},
		/** Ends sending; waiting messages are dropped, since they would be outdated at the next start. */
		async stop(): Promise<void> {
			stopping.abort();
			await working;
		},
	};
}

const asFailure = (error: unknown): ServiceFailure =>
	error instanceof ServiceFailure ? error : new ServiceFailure('it failed', { isFinal: true });

/** Questions that a second channel receives only if nobody has answered shortly before the deadline. */
export function createEscalations(now: () => number) {
	const timers = new Map<string, NodeJS.Timeout[]>();
	const drop = (approvalId: string) => {
		for (const timer of timers.get(approvalId) ?? []) clearTimeout(timer);
		timers.delete(approvalId);
	};
	return {
		plan(question: IndexedEvent, secondsBefore: number, push: () => void): void {
			if (!isKnown(question) || question.type !== QUESTION) return;
			const { approvalId, deadline } = question;
			const leftMs = Date.parse(deadline) - now();
			const pushing = setTimeout(push, Math.max(0, leftMs - secondsBefore * 1000)).unref();
			// A question whose end is never recorded, as after a crash, must not stay in memory.
			const forgetting = setTimeout(drop, Math.max(0, leftMs), approvalId).unref();
			timers.set(approvalId, [...(timers.get(approvalId) ?? []), pushing, forgetting]);
		},
		cancel(end: IndexedEvent): void {
			if ('approvalId' in end && typeof end.approvalId === 'string') drop(end.approvalId);
		},
		stop(): void {
			for (const approvalId of [...timers.keys()]) drop(approvalId);
		},
	};
}
