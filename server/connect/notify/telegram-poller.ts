import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { type BotCommand, parseBotCommand } from '#lib/notify/bot-command.ts';
import { summarise } from '#lib/session/summarise.ts';
import { printable } from '#lib/text/printable.ts';
import type { Log } from '../../process/log.ts';
import { pause, ServiceFailure } from '../outgoing/call-service.ts';
import type { TelegramApi, TelegramUpdate } from './open-channel.ts';

const PAUSE_MS = 3000;
const MAX_PAUSE_MS = 60_000;
const MAX_STRANGERS = 20;

/** Answers the listed chats. Messages from before the start are ignored: an old /stop must stop nothing today. */
export function startTelegramPoller(options: {
	api: TelegramApi;
	chats: readonly string[];
	service: BotService;
	now: () => number;
	log: Log;
}) {
	const { api, chats, service, now, log } = options;
	const stopping = new AbortController();
	const since = Math.floor(now() / 1000);
	const strangers = new Set<number>();

	async function handle({ message }: TelegramUpdate): Promise<void> {
		if (message?.text === undefined || message.date < since) return;
		const chat = message.chat.id;
		if (!chats.includes(String(chat))) {
			// Anybody can write to a bot: log and memory must not grow with them.
			if (strangers.size >= MAX_STRANGERS || strangers.has(chat)) return;
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
					// First, so that an update that cannot be answered is not received again for ever.
					offset = update.update_id + 1;
					await handle(update);
				}
				failures = 0;
			} catch (error) {
				if (stopping.signal.aborted) return;
				failures += 1;
				if (failures === 1)
					log.warn('notify: Telegram cannot be asked; it is tried again', { reason: reasonOf(error) });
				await pause(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** Math.min(failures - 1, 10)), stopping.signal);
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

const reasonOf = (error: unknown) => (error instanceof ServiceFailure ? error.message : 'it failed');

export type TelegramPoller = ReturnType<typeof startTelegramPoller>;

const MAX_LISTED = 10;
const HELP =
	'/sessions lists sessions\n/status [id] tells how one stands\n/stop [id] stops its workflow and loop\nWithout an id: the newest active session.';
const MARKS = { pending: '○', active: '◐', done: '●', issues: '◍', failed: '✗' } as const;

/** Answers a chat's commands in text, from the views; only `stop` changes anything. */
export function createBotService(options: {
	views: () => SessionView[];
	stop: (sessionId: string) => Promise<boolean>;
	now: () => number;
}) {
	const { views, stop, now } = options;

	const newestFirst = (): SessionSummary[] =>
		views()
			.filter(({ sessionId }) => sessionId !== HOME_SESSION)
			.map((view) => summarise(view, now()))
			.sort((a, b) => ((a.lastAt ?? '') < (b.lastAt ?? '') ? 1 : -1));

	/** Finds a session by the beginning of its id: nobody types 36 letters on a phone. */
	const find = (sessionId: string | undefined): SessionSummary | undefined => {
		const all = newestFirst();
		if (sessionId === undefined) return all.find(isLive) ?? all[0];
		return all.find((one) => one.sessionId === sessionId) ?? all.find((one) => one.sessionId.startsWith(sessionId));
	};

	return {
		async answer(command: BotCommand): Promise<string> {
			if (command.name === 'help') return HELP;
			if (command.name === 'sessions') {
				return newestFirst().slice(0, MAX_LISTED).map(sessionLine).join('\n') || 'There are no sessions yet.';
			}
			const session = find(command.sessionId);
			if (!session) return 'There is no such session. /sessions lists them.';
			if (command.name === 'status') return statusText(session);
			const stopped = await stop(session.sessionId);
			return `${stopped ? 'Stopped' : 'Nothing to stop'}: ${sessionLine(session)}`;
		},
	};
}

type BotService = ReturnType<typeof createBotService>;

const isLive = ({ status }: SessionSummary) => status !== 'ended' && status !== 'lost';

function sessionLine({ sessionId, project, status, workflow }: SessionSummary): string {
	return printable([sessionId.slice(0, 8), project ?? '', status, workflow ?? ''].filter(Boolean).join(' · '));
}

function statusText(session: SessionSummary): string {
	const { stages, agents, doing, approvals, counts } = session;
	const lines = [
		sessionLine(session),
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
