import { parseBotCommand } from '#lib/notify/bot-command.ts';
import type { Log } from '../../process/log.ts';
import { pause } from '../outgoing/pause.ts';
import { ServiceFailure } from '../outgoing/service-failure.ts';
import type { BotService } from './bot-service.ts';
import type { TelegramApi, TelegramUpdate } from './telegram-api.ts';

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
