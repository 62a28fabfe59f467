import * as z from 'zod';
import { parsedJson } from '#lib/json/json.ts';
import { callService } from '../outgoing/call-service.ts';
import { ServiceFailure } from '../outgoing/service-failure.ts';

const SEND_MS = 10_000;
/** How long Telegram holds a poll open when nothing comes, in seconds. */
const POLL_SECONDS = 30;

const Update = z.object({
	update_id: z.int(),
	message: z.object({ date: z.number(), text: z.string().optional(), chat: z.object({ id: z.number() }) }).optional(),
});
/** What somebody wrote to the bot, as far as it matters here; `date` is in seconds. */
export type TelegramUpdate = z.infer<typeof Update>;
const Updates = z.object({ result: z.array(Update) });

/** The two methods of the Bot API that are used. Throws ServiceFailure. */
export interface TelegramApi {
	sendMessage(chat: string, text: string, signal: AbortSignal): Promise<void>;
	/** Updates from `offset` on; resolves empty after half a minute without any. */
	getUpdates(offset: number, signal: AbortSignal): Promise<TelegramUpdate[]>;
}

/** The token is a part of every address there, which is why failures never repeat addresses. */
export function createTelegramApi({ api, token }: { api: string; token: string }): TelegramApi {
	const call = (method: string, params: object, timeoutMs: number, signal: AbortSignal): Promise<string> => {
		const url = `${api.replace(/\/$/, '')}/bot${token}/${method}`;
		const headers = { 'content-type': 'application/json' };
		return callService({ url, headers, body: JSON.stringify(params), timeoutMs, signal });
	};
	return {
		async sendMessage(chat, text, signal) {
			// Without a parse mode: what agents wrote stays text.
			const params = { chat_id: chat, text, link_preview_options: { is_disabled: true } };
			await call('sendMessage', params, SEND_MS, signal);
		},
		async getUpdates(offset, signal) {
			const params = { offset, timeout: POLL_SECONDS, allowed_updates: ['message'] };
			const text = await call('getUpdates', params, (POLL_SECONDS + 10) * 1000, signal);
			const read = Updates.safeParse(parsedJson(text));
			if (!read.success) throw new ServiceFailure('its answer is not the one of the Bot API');
			return read.data.result;
		},
	};
}
