import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { type BotCommand, parseBotCommand } from '#lib/notify/bot-command.ts';
import { summarise } from '#lib/session/summarise.ts';
import { printable } from '#lib/text/printable.ts';
import type { Log } from '../../process/log.ts';
import { pause, ServiceFailure } from '../outgoing/call-service.ts';
import type { TelegramApi, TelegramUpdate } from './open-channel.ts';

/** Listens to the chats of one bot until `stop`. */
export interface TelegramPoller {
	stop(): Promise<void>;
}

const PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 60_000;
/** Chats that are named in the log, each once. */
const MOST_STRANGERS = 20;

/**
 * Long polling (seed 001, remote): answers commands of the listed chats and ignores all others. What was written
 * before the start is left: yesterday's /stop must stop nothing today.
 */
export function startTelegramPoller(options: {
	api: TelegramApi;
	chats: readonly string[];
	service: BotService;
	/** Milliseconds since the epoch. */
	now: () => number;
	log: Log;
	pauseMs?: number;
}): TelegramPoller {
	const { api, chats, service, now, log, pauseMs = PAUSE_MS } = options;
	const stopping = new AbortController();
	const since = Math.floor(now() / 1000);
	const strangers = new Set<number>();

	async function handle({ message }: TelegramUpdate): Promise<void> {
		if (message?.text === undefined || message.date < since) return;
		const chat = message.chat.id;
		if (!chats.includes(String(chat))) {
			// Anybody can write to a bot: neither the log nor the memory may grow with whoever does.
			if (strangers.size >= MOST_STRANGERS || strangers.has(chat)) return;
			strangers.add(chat);
			log.warn('notify: a chat that is not listed was ignored', { chat });
			return;
		}
		const command = parseBotCommand(message.text);
		if (command) await api.sendMessage(String(chat), await service.answer(command), stopping.signal);
	}

	async function run(): Promise<void> {
		let offset = 0;
		let failures = 0;
		while (!stopping.signal.aborted) {
			try {
				for (const update of await api.getUpdates(offset, stopping.signal)) {
					// First: an update that cannot be answered must not come again for ever.
					offset = update.update_id + 1;
					await handle(update);
				}
				failures = 0;
			} catch (error) {
				if (stopping.signal.aborted) return;
				failures += 1;
				if (failures === 1)
					log.warn('notify: Telegram cannot be asked; it is tried again', { reason: reasonOf(error) });
				await pause(Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** Math.min(failures - 1, 10)), stopping.signal);
			}
		}
	}

	const running = run();
	return {
		async stop() {
			stopping.abort();
			await running;
		},
	};
}

function reasonOf(error: unknown): string {
	return error instanceof ServiceFailure ? error.message : 'it failed';
}

/** Answers what a listed chat asks. */
interface BotService {
	answer(command: BotCommand): Promise<string>;
}

const MOST_LISTED = 10;
const HELP =
	'/sessions lists sessions\n/status [id] tells how one stands\n/stop [id] stops its workflow and loop\nWithout an id: the newest active session.';
const MARKS = { pending: '○', active: '◐', done: '●', issues: '◍', failed: '✗' } as const;

export function createBotService(options: {
	views: () => SessionView[];
	/** False when the session has nothing to stop. */
	stop: (sessionId: string) => Promise<boolean>;
	now: () => number;
}): BotService {
	const { views, stop, now } = options;

	const newestFirst = (): SessionSummary[] =>
		views()
			.filter(({ sessionId }) => sessionId !== HOME_SESSION)
			.map((view) => summarise(view, now()))
			.sort((a, b) => ((a.lastAt ?? '') < (b.lastAt ?? '') ? 1 : -1));

	/** By id or by the beginning of one: a phone is no place to type 36 letters. */
	const find = (sessionId: string | undefined): SessionSummary | undefined => {
		const all = newestFirst();
		if (sessionId === undefined) return all.find(isLive) ?? all[0];
		return all.find((one) => one.sessionId === sessionId) ?? all.find((one) => one.sessionId.startsWith(sessionId));
	};

	return {
		async answer(command) {
			if (command.name === 'help') return HELP;
			if (command.name === 'sessions') {
				return newestFirst().slice(0, MOST_LISTED).map(lineOf).join('\n') || 'There are no sessions yet.';
			}
			const session = find(command.sessionId);
			if (!session) return 'There is no such session. /sessions lists them.';
			if (command.name === 'status') return statusOf(session);
			const stopped = await stop(session.sessionId);
			return `${stopped ? 'Stopped' : 'Nothing to stop'}: ${lineOf(session)}`;
		},
	};
}

const isLive = ({ status }: SessionSummary) => status !== 'ended' && status !== 'lost';

function lineOf({ sessionId, project, status, workflow }: SessionSummary): string {
	return printable([sessionId.slice(0, 8), project ?? '', status, workflow ?? ''].filter(Boolean).join(' · '));
}

function statusOf(session: SessionSummary): string {
	const { stages, agents, doing, approvals, counts } = session;
	const lines = [
		lineOf(session),
		stages.map(({ key, state }) => `${MARKS[state]} ${key}`).join(' '),
		agents.length > 0 ? `at work: ${agents.join(', ')}` : '',
		doing?.text ?? '',
		approvals.length > 0 ? `waiting for a person: ${approvals.length}` : '',
		`calls ${counts.calls}, errors ${counts.errors}, denials ${counts.denials}, overrides ${counts.overrides}`,
	];
	return lines
		.map((line) => printable(line, 400))
		.filter(Boolean)
		.join('\n');
}
