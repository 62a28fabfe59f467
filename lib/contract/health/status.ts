import * as z from 'zod';
import { Sentences } from '../sentences.ts';
import { Incident } from './incidents.ts';

const LogLine = z.object({ ts: z.string(), level: z.enum(['warn', 'error']), message: z.string() });
export type LogLine = z.infer<typeof LogLine>;

/** Address and token are secrets. */
const ChannelState = z.object({
	name: z.string(),
	kind: z.string(),
	missing: z.string().nullable(),
	last: z.object({ ts: z.string(), ok: z.boolean(), reason: z.string().nullable() }).nullable(),
});
export type ChannelState = z.infer<typeof ChannelState>;

const Finding = z.object({
	state: z.enum(['note', 'warn', 'wrong']),
	name: z.string(),
	detail: z.string(),
	fix: z.string().optional(),
	sentences: Sentences<'name' | 'detail' | 'fix'>(),
});

const ProjectHealth = z.object({ project: z.string(), checks: z.int(), findings: z.array(Finding) });
export type ProjectHealth = z.infer<typeof ProjectHealth>;

const TelemetryCounts = z.object({
	records: z.int(),
	/** Unreadable, or too many at once. */
	rejected: z.int(),
	refused: z.int(),
	told: z.int(),
	inTranscript: z.int(),
	/** For the first hook of their session. */
	waiting: z.int(),
	/** No session of that id and client came. */
	unjoined: z.int(),
	callless: z.int(),
});
export type TelemetryCounts = z.infer<typeof TelemetryCounts>;

export const ServerStatus = z.object({
	version: z.string(),
	startedAt: z.string(),
	home: z.string(),
	/** Of the home's disk, in bytes. */
	room: z.object({ free: z.number(), total: z.number(), isLow: z.boolean() }).nullable(),
	port: z.int(),
	/** Of this run, then of earlier ones; newest first each. */
	incidents: z.array(Incident),
	door: z.boolean(),
	sessions: z.int(),
	events: z.int(),
	/** Bytes of timelines that the index has; null when complete. */
	building: z.object({ read: z.int(), total: z.int() }).nullable(),
	hooksPerMinute: z.int(),
	hooksLastHour: z.array(z.int()),
	/** Within how many ms half of the hooks of the last hour were answered, and 95 of 100; null without any. */
	hookTimes: z.object({ p50: z.number(), p95: z.number() }).nullable(),
	sockets: z.int(),
	waiting: z.int(),
	/** Null: validators use their fallbacks. */
	model: z.string().nullable(),
	channels: z.array(ChannelState),
	telemetry: TelemetryCounts,
	log: z.array(LogLine),
	projects: z.array(ProjectHealth),
});
export type ServerStatus = z.infer<typeof ServerStatus>;
