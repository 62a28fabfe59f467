import type { Channel } from './channel.ts';
import type { TelegramApi } from './telegram-api.ts';

/** Tells every chat of the list; one that cannot be reached takes nothing from the others. */
export function createTelegramChannel(api: Pick<TelegramApi, 'sendMessage'>, chats: readonly string[]): Channel {
	/** Who has the message that is being sent: another try must not tell a chat twice. */
	let current = { id: '', told: new Set<string>() };
	return {
		async send({ id, title, body, url }, signal) {
			if (current.id !== id) current = { id, told: new Set() };
			const { told } = current;
			const text = [title, body, url].filter((line) => line !== '').join('\n');
			const rest = chats.filter((chat) => !told.has(chat));
			const results = await Promise.allSettled(
				rest.map(async (chat) => {
					await api.sendMessage(chat, text, signal);
					told.add(chat);
				}),
			);
			const failed = results.find((result) => result.status === 'rejected');
			if (failed) throw failed.reason;
		},
	};
}
