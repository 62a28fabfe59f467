import * as z from 'zod';
import { categoryOf, isEventType } from '../contract/events/event-labels.ts';
import { EnvName, HttpUrl, Named, problemsOf, readNamed, sectionOf } from '../json/named-settings.ts';
import { misspeltKeys } from '../text/near-words.ts';

const DEFAULT_EVENTS = ['approval:request', 'workflow:complete', 'workflow:abort', 'error:fatal', 'session:lost'];
const PATTERN = /^[a-z]+:(?:\*|[a-z]+)$/;

const EventPattern = z
	.string()
	.regex(PATTERN, 'is written noun:verb or noun:*')
	.refine((pattern) => pattern.endsWith(':*') || isEventType(pattern), 'is no event type; docs/events.md lists them');
const Events = z.array(EventPattern).min(1).max(100);

const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 22:00');

/** By the server's clock; past midnight if `to` is earlier. */
const QuietHours = z.strictObject({ from: TimeOfDay, to: TimeOfDay });
type QuietHours = z.infer<typeof QuietHours>;

const shared = {
	events: Events.optional(),
	quiet: QuietHours.optional(),
	/** Seconds before the deadline at which a waiting question is sent. */
	escalateSeconds: z.number().int().min(5).max(3600).optional(),
};
export const Channel = z.discriminatedUnion(
	'kind',
	[
		z.strictObject({ kind: z.literal('webhook'), url: HttpUrl, secretEnv: EnvName.optional(), ...shared }),
		z.strictObject({ kind: z.literal('ntfy'), url: HttpUrl, tokenEnv: EnvName.optional(), ...shared }),
		z.strictObject({ kind: z.literal('push'), ...shared }),
		z.strictObject({
			kind: z.literal('telegram'),
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
type ChannelSettings = z.infer<typeof Channel>;

export const Notify = z.looseObject(
	{
		events: Events.default(DEFAULT_EVENTS),
		quiet: QuietHours.optional(),
		address: HttpUrl.optional(),
		channels: Named,
	},
	{ error: 'is written {"channels": {"team": {"kind": "webhook", "url": "https://…"}}}' },
);

export type NamedChannel = ChannelSettings & { name: string; events: string[] };

export interface NotifySettings {
	address?: string;
	channels: NamedChannel[];
	push: NamedChannel | null;
	problems: string[];
}

/**
 * Never throws: a channel that does not fit is left out and named. TELEGRAM_BOT_TOKEN with TELEGRAM_CHAT_ID is a channel, too.
 */
export function readNotifySettings(config: unknown, env: Readonly<Record<string, string | undefined>>): NotifySettings {
	const section = sectionOf(config, 'notify');
	const problems = misspeltKeys('notify', section, Object.keys(Notify.shape));
	const read = Notify.safeParse(section);
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

/** `events` as in the settings: types, or `gate:*` for a whole category. */
export function wantsEvent(events: readonly string[], type: string): boolean {
	return events.includes(type) || events.includes(`${categoryOf(type)}:*`);
}

/** A time of day in minutes since midnight; `to` is exclusive. */
export function isQuiet(quiet: QuietHours | undefined, minute: number): boolean {
	if (!quiet) return false;
	const [from, to] = [minuteOf(quiet.from), minuteOf(quiet.to)];
	return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minuteOf(time: string): number {
	const [hours = 0, minutes = 0] = time.split(':').map(Number);
	return hours * 60 + minutes;
}
