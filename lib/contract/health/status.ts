import * as z from 'zod';
import { Incident } from './incidents.ts';

/** A line that the server warned with; text of others may be in it. */
const LogLine = z.object({ ts: z.string(), level: z.enum(['warn', 'error']), message: z.string() });
export type LogLine = z.infer<typeof LogLine>;

/** A notification channel, by name alone: its address and token are secrets. */
const ChannelState = z.object({
	name: z.string(),
	kind: z.string(),
	/** The environment variable that the server lacks for it; null when it can send. */
	missing: z.string().nullable(),
	/** How the last message went; null before the first one. */
	last: z.object({ ts: z.string(), ok: z.boolean(), reason: z.string().nullable() }).nullable(),
});
export type ChannelState = z.infer<typeof ChannelState>;

/** What the doctor says of one part of a project's set-up. */
const Finding = z.object({
	state: z.enum(['note', 'warn', 'wrong']),
	name: z.string(),
	detail: z.string(),
	fix: z.string().optional(),
});

/** A project that sessions were in or that is registered, with everything that is not well; `checks` is how many were made. */
const ProjectHealth = z.object({ project: z.string(), checks: z.int(), findings: z.array(Finding) });
export type ProjectHealth = z.infer<typeof ProjectHealth>;

/** What became of the telemetry that clients sent since the start. */
const TelemetryCounts = z.object({
	/** Log records and spans that were read. */
	records: z.int(),
	/** Those that were none, or too many at once. */
	rejected: z.int(),
	/** Requests without the right token, or with a body that is none. */
	refused: z.int(),
	/** Events that came of it. */
	told: z.int(),
	/** Answers of models of which a transcript tells. */
	inTranscript: z.int(),
	/** What waits for the first hook of its session. */
	waiting: z.int(),
	/** What no session of that id and make came for. */
	unjoined: z.int(),
	/** Decisions about a call that its session does not know: told without it. */
	callless: z.int(),
});
export type TelemetryCounts = z.infer<typeof TelemetryCounts>;

/** `GET /api/status`: how the server and what it depends on stand. */
export const ServerStatus = z.object({
	version: z.string(),
	/** ISO. */
	startedAt: z.string(),
	home: z.string(),
	/** Of the home's disk, in bytes; null where the system does not say. */
	room: z.object({ free: z.number(), total: z.number(), isLow: z.boolean() }).nullable(),
	port: z.int(),
	/** Since the start, then those that earlier runs wrote down; newest first each. */
	incidents: z.array(Incident),
	/** Whether hooks are served. */
	door: z.boolean(),
	sessions: z.int(),
	events: z.int(),
	/** How far the index is while it is built from all timelines, in bytes; null when it has them. */
	building: z.object({ read: z.int(), total: z.int() }).nullable(),
	/** Hook runs of the last 60 seconds. */
	hooksPerMinute: z.int(),
	/** Hook runs of each of the last 60 minutes, the oldest first. */
	hooksLastHour: z.array(z.int()),
	/** Open pages and other live connections. */
	sockets: z.int(),
	/** Calls that wait for a person. */
	waiting: z.int(),
	/** The model that validators ask; null: they use their fallbacks. */
	model: z.string().nullable(),
	channels: z.array(ChannelState),
	telemetry: TelemetryCounts,
	/** The last warnings and errors since the start, newest first. */
	log: z.array(LogLine),
	projects: z.array(ProjectHealth),
});
export type ServerStatus = z.infer<typeof ServerStatus>;
