import * as z from 'zod';
import { isEventType } from '../contract/events/event-labels.ts';
import { EnvName, HttpUrl, Named, problemsOf, readNamed, sectionOf } from '../json/named-settings.ts';

/** Sent unless the settings say otherwise: what needs a person, and how work ended. */
const DEFAULT_EVENTS = ['approval:request', 'workflow:complete', 'workflow:abort', 'error:fatal', 'session:lost'];
const PATTERN = /^[a-z]+:(?:\*|[a-z]+)$/;

/** `noun:verb`, or `noun:*` for all of a kind. */
const EventPattern = z
	.string()
	.regex(PATTERN, 'is written noun:verb or noun:*')
	.refine((pattern) => pattern.endsWith(':*') || isEventType(pattern), 'is no event type; docs/events.md lists them');
const Events = z.array(EventPattern).min(1).max(100);

const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 22:00');

/** From one time of day to another, by the server's clock; past midnight when `to` is the earlier. */
const QuietHours = z.strictObject({ from: TimeOfDay, to: TimeOfDay });
export type QuietHours = z.infer<typeof QuietHours>;

const shared = {
	events: Events.optional(),
	quiet: QuietHours.optional(),
	/** Seconds: a question comes here only while it still waits this long before its deadline. */
	escalateSeconds: z.number().int().min(5).max(3600).optional(),
};
const Channel = z.discriminatedUnion(
	'kind',
	[
		z.strictObject({ kind: z.literal('webhook'), url: HttpUrl, secretEnv: EnvName.optional(), ...shared }),
		z.strictObject({ kind: z.literal('ntfy'), url: HttpUrl, tokenEnv: EnvName.optional(), ...shared }),
		/** The browsers that asked for it in the dashboard. */
		z.strictObject({ kind: z.literal('push'), ...shared }),
		z.strictObject({
			kind: z.literal('telegram'),
			/** Only these chats are told anything, and only they may ask. */
			chats: z
				.array(z.union([z.string().regex(/^-?\d{1,20}$/), z.number().int()]).transform(String))
				.min(1)
				.max(50),
			tokenEnv: EnvName.default('TELEGRAM_BOT_TOKEN'),
			api: HttpUrl.default('https://api.telegram.org'),
			...shared,
		}),
	],
	{ error: 'is an object whose kind is "webhook", "ntfy", "push" or "telegram"' },
);
export type ChannelSettings = z.infer<typeof Channel>;

const Notify = z.looseObject(
	{
		events: Events.default(DEFAULT_EVENTS),
		quiet: QuietHours.optional(),
		/** Where people reach the dashboard; for the links in messages. */
		address: HttpUrl.optional(),
		channels: Named,
	},
	{ error: 'is written {"channels": {"team": {"kind": "webhook", "url": "https://…"}}}' },
);

/** A channel with everything settled that it shares with the others. */
export type NamedChannel = ChannelSettings & { name: string; events: string[] };

/** Where to send what; `problems` names what was ignored, for a person. */
export interface NotifySettings {
	address?: string;
	channels: NamedChannel[];
	/** The channel of the browsers that asked to be told, where none is named: it needs no settings. */
	push: NamedChannel | null;
	problems: string[];
}

/**
 * The `notify` part of the person's `config.json`. Total: a channel that does not fit is left out and named. With
 * TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID in `env` there is a Telegram channel without any settings, as in seed 001.
 */
export function readNotifySettings(config: unknown, env: Readonly<Record<string, string | undefined>>): NotifySettings {
	const problems: string[] = [];
	const read = Notify.safeParse(sectionOf(config, 'notify'));
	if (!read.success) problems.push(...problemsOf('notify', read.error));
	const { events, quiet, address, channels: given } = read.success ? read.data : Notify.parse({});
	const named = readNamed('notify.channels', given, Channel);
	problems.push(...named.problems);
	const channels = named.found.map(
		([name, channel]): NamedChannel => ({
			...channel,
			name,
			events: channel.events ?? events,
			quiet: channel.quiet ?? quiet,
		}),
	);
	const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_CHAT_ID: chat } = env;
	if (token && chat && !channels.some(({ kind }) => kind === 'telegram')) {
		const implied = Channel.safeParse({ kind: 'telegram', chats: chat.split(',').map((one) => one.trim()) });
		if (implied.success) channels.push({ ...implied.data, name: 'telegram', events, quiet });
		else problems.push(...problemsOf('TELEGRAM_CHAT_ID', implied.error));
	}
	const push = channels.some(({ kind }) => kind === 'push')
		? null
		: ({ kind: 'push', name: 'push', events, quiet } as const);
	return { channels, push, problems, ...(address !== undefined && { address }) };
}
