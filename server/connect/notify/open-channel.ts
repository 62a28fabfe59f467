import type { NamedChannel } from '#lib/notify/notify-settings.ts';
import type { Channel } from './channel.ts';
import { createNtfyChannel } from './ntfy-channel.ts';
import { createPushChannel } from './push-channel.ts';
import type { PushStore } from './push-store.ts';
import { createTelegramApi, type TelegramApi } from './telegram-api.ts';
import { createTelegramChannel } from './telegram-channel.ts';
import { createWebhookChannel } from './webhook-channel.ts';

/** A channel that can send, or the environment variable that it lacks. */
export type OpenedChannel = { ok: true; channel: Channel; telegram?: TelegramApi } | { ok: false; missing: string };

/** Builds a channel from its settings; `pushStore` has the browsers, `address` is where people reach the dashboard. Secrets come from the environment variables that the settings name. */
export function openChannel(
	settings: NamedChannel,
	env: Readonly<Record<string, string | undefined>>,
	pushStore: PushStore,
	address: string | undefined,
): OpenedChannel {
	const secretOf = (name: string | undefined) => (name === undefined ? undefined : env[name] || undefined);
	switch (settings.kind) {
		case 'webhook': {
			const secret = secretOf(settings.secretEnv);
			if (settings.secretEnv !== undefined && secret === undefined) return { ok: false, missing: settings.secretEnv };
			return { ok: true, channel: createWebhookChannel({ url: settings.url, ...(secret && { secret }) }) };
		}
		case 'ntfy': {
			const token = secretOf(settings.tokenEnv);
			if (settings.tokenEnv !== undefined && token === undefined) return { ok: false, missing: settings.tokenEnv };
			return { ok: true, channel: createNtfyChannel({ url: settings.url, ...(token && { token }) }) };
		}
		case 'push':
			return { ok: true, channel: createPushChannel(pushStore, address) };
		case 'telegram': {
			const token = secretOf(settings.tokenEnv);
			if (token === undefined) return { ok: false, missing: settings.tokenEnv };
			const telegram = createTelegramApi({ api: settings.api, token });
			return { ok: true, channel: createTelegramChannel(telegram, settings.chats), telegram };
		}
	}
}
