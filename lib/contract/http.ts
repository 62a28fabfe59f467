import * as z from 'zod';
import { Decider, Decision, Denial, OverriddenDenial } from './catalogue/approval.ts';
import { EdgeLevel } from './edge-level.ts';
import { Remembered } from './grants.ts';
import { HubPerson } from './hub-people.ts';
import { ApprovalId, SessionId, SessionName, Timestamp } from './ids.ts';

/** The three kinds of token; none can stand in for another (DESIGN 6). */
export const Role = z.enum(['viewer', 'operator', 'edge']);
export type Role = z.infer<typeof Role>;

/** How many minutes UTC is ahead of a reader's clock, as `Date.getTimezoneOffset` tells it. */
export const Zone = z.coerce.number<number>().int().min(-900).max(900);

/** Narrows a list to what one make of agent did; any text is a name, if perhaps of none. */
export const Make = z.string().max(64);

/** `GET /api/sessions`: without a query all sessions, up to 5,000; `next` is where the following page begins. */
export const SessionsQuery = z.object({
	limit: z.coerce.number<number>().int().min(1).max(5000).default(5000),
	/** `next` of the page before. */
	before: z.string().max(300).optional(),
	/** Only those that have every one of these words in project, branch, first prompt, workflow, status, make of agent or id. */
	q: z.string().max(200).optional(),
	make: Make.optional(),
	/** Only these, separated by commas. */
	ids: z
		.string()
		.max(20_000)
		.transform((ids) => ids.split(','))
		.optional(),
	/** Only those with a call that did not go as decided. */
	alarmed: z.literal('true').optional(),
	/** Only those of this team, project or machine, by their names. */
	team: z.string().max(300).optional(),
	project: z.string().max(300).optional(),
	machine: z.string().max(300).optional(),
	zone: Zone.optional(),
});

/** `GET /api/places`: what the list can be narrowed to. Only a hub has teams and machines. */
export const SourceOptions = z.object({
	teams: z.array(z.string()),
	projects: z.array(z.string()),
	machines: z.array(
		z.object({
			name: z.string(),
			team: z.string(),
			/** When it was connected last (ISO). */
			seenAt: z.string().nullable(),
			/** Its sessions that run, and that wait for a person; calls that gates denied there in the last 24 hours. */
			...{ running: z.int(), waiting: z.int(), denied: z.int() },
		}),
	),
});
export type SourceOptions = z.infer<typeof SourceOptions>;

/** `GET /api/sessions/:id/events`: `after` is exclusive, answers ascend by `seq`. */
export const EventsQuery = z.object({
	after: z.coerce.number<number>().int().min(0).default(0),
	limit: z.coerce.number<number>().int().min(1).max(1000).default(200),
	/** Only the events of one row: its whole story, for the detail pane. */
	row: z.string().max(300).optional(),
});

/** `GET /api/sessions/:id/rows`: the newest `limit` rows before `before` (a row's `seq`), ascending. */
export const RowsQuery = z.object({
	before: z.coerce.number<number>().int().min(1).optional(),
	after: z.coerce.number<number>().int().min(0).optional(),
	limit: z.coerce.number<number>().int().min(1).max(500).default(200),
	/** Only rows that had begun by then. */
	until: Timestamp.optional(),
});

/** `GET /api/sessions/:id/blobs/:sha`: a value that was too large for its event. */
export const BlobParam = z.object({ id: SessionId, sha: z.string().regex(/^[0-9a-f]{64}$/) });

/** `GET /api/sessions/:id/handoffs/:name`: a handoff's file by its last path part. */
export const HandoffParam = z.object({ id: SessionId, name: z.string().regex(/^\w[\w.:-]{0,127}$/) });

/** `POST /api/approvals/:id`. A deny may carry a reason that the agent reads. */
export const DecisionBody = z.strictObject({
	decision: Decision,
	reason: z.string().trim().max(2000).optional(),
	/** With `approve` the call runs with this input, with `answer` it holds the answers. */
	updatedInput: z.record(z.string(), z.unknown()).optional(),
	/** With that input: what the gates deny of it beside what the card lists, as `approval/edit-denied` told the person. */
	overrides: z.array(OverriddenDenial).max(20).optional(),
	/** With `deny`: the agent's turn ends, whatever the form of the denial. */
	stop: z.literal(true).optional(),
	/** Of the client's own permission prompt: which of its suggestions are to be applied, by their place. */
	suggestions: z.array(z.int().min(0)).max(20).optional(),
	/** With `approve` of the call as it is, and a reason: what cannot be remembered is not approved either. */
	remember: Remembered.optional(),
});
export type DecisionBody = z.infer<typeof DecisionBody>;

/** `GET /api/approvals?state=...` */
export const ApprovalState = z.enum(['waiting', 'approved', 'denied', 'answered', 'expired', 'abandoned']);
export type ApprovalState = z.infer<typeof ApprovalState>;

/** One element of `GET /api/approvals`: a denied call that a person may decide, or has decided. */
export const ApprovalRecord = z.object({
	id: ApprovalId,
	state: ApprovalState,
	sessionId: SessionName,
	agentId: z.string().optional(),
	toolUseId: z.string().optional(),
	tool: z.string(),
	/** One line for a person: the command, the file, the agent's task. */
	title: z.string(),
	/** The sub-agent that the call asks for, as the gate read it. */
	asked: z.string().optional(),
	/** It is about a supervisor's review. */
	review: z.object({ event: z.string(), iteration: z.number(), max: z.number(), isOver: z.boolean() }).optional(),
	input: z.unknown(),
	/** Exactly these are overridden by an approval. */
	denials: z.array(Denial),
	/** It is the client's own permission prompt: what the client suggests to allow for good. */
	suggestions: z.array(z.unknown()).optional(),
	requestedAt: Timestamp,
	deadline: Timestamp,
	decidedAt: Timestamp.optional(),
	by: Decider.optional(),
	reason: z.string().optional(),
	/** The denial ended the agent's turn. */
	stopped: z.literal(true).optional(),
	/** What the client suggested to allow beside this call, and the person did. */
	lasting: z.string().optional(),
	answer: z.string().optional(),
	/** At a hub: where it waits, and what may be decided about it from there. */
	machine: z.object({ name: z.string(), team: z.string(), level: EdgeLevel }).optional(),
	/** What went otherwise than decided with the call. */
	alarm: z.enum(['denied-but-ran', 'other-input-ran', 'ran-unjudged', 'allowed-never-ran']).optional(),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

export const ApprovalsQuery = z.object({
	state: ApprovalState.optional(),
	/** Only those that asked the same question as this one: by the fingerprints of their denials. */
	similarTo: ApprovalId.optional(),
	limit: z.coerce.number<number>().int().min(1).max(500).default(100),
});

/** `POST /login`: the fragment of a one-time link. */
export const LoginBody = z.strictObject({ token: z.string().min(20).max(200) });

/** `POST /link`: the fragment of a link to one waiting call. */
export const LinkBody = z.strictObject({ link: z.string().min(20).max(200) });

/** `POST /link`: the page of that call, and where a sign-in came of it, that one's session token. */
export const LinkAnswer = z.object({ to: z.string(), sessionToken: z.string().optional() });

/** `GET /api/me`: who the browser is. */
export const Me = z.object({
	role: Role,
	/** The one call that this sign-in may decide although it is no operator's: it came by a link and a passkey. */
	approval: ApprovalId.optional(),
	/** At a hub: which person it is, and what they are where; no team is everywhere. */
	hub: HubPerson.optional(),
	/** H0 to H2: of a hub, as its machines have it. */
	tier: z.enum(['T0', 'T1', 'T2', 'T3', 'T4', 'H0', 'H1', 'H2']),
	/** Login links and operator tokens minted in the last 24 hours. */
	minted: z.array(z.object({ at: z.string(), kind: z.string(), role: Role })),
	epoch: z.string(),
	/** How long a decision can be undone before it is sent, in seconds (`approvals.undoSeconds`). */
	undoSeconds: z.number(),
	home: z.string(),
	/** What runs the `signalbox` command on the server's machine, from any folder. */
	program: z.string(),
});
export type Me = z.infer<typeof Me>;

export const ApprovalParam = z.object({ id: ApprovalId });
