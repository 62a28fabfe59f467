import type { Denial } from './events/catalogue/approval.ts';

const error = <const Say extends string>(status: number, say: Say) => ({ status, say });

/** The one table of errors: HTTP status, and what a person should do. */
export const errors = {
	'request/invalid': error(400, 'The request does not match the API; see /api/openapi.json.'),
	'request/too-large': error(413, 'The body is too large: at most 1 MiB is read.'),
	'request/length': error(411, 'Send the body in one piece, with its Content-Length.'),
	'request/wrong-type': error(415, 'Send application/json.'),
	'request/method': error(405, 'This route does not accept that method; see /api/openapi.json.'),
	'auth/missing': error(401, 'Sign in: run `signalbox open` for a fresh link, or send a bearer token.'),
	'auth/half': error(
		401,
		'This browser has lost half of its sign-in: its storage for this page was cleared. Run `signalbox open` for a fresh link.',
	),
	'auth/forbidden': error(403, 'This token or session may not do that.'),
	'auth/origin': error(403, 'Requests from other origins are refused.'),
	'auth/host': error(421, 'This host name is not valid for signing in. Run `signalbox open` for a link.'),
	'auth/link-used': error(410, 'This link was used already or has expired. Run `signalbox open` for a fresh one.'),
	'auth/too-many': error(429, 'Too many failed attempts. Wait a minute.'),
	'link/wrong': error(
		404,
		'This server has not made this link since it was started. If the call still waits, it is under Approvals.',
	),
	'link/used': error(
		410,
		'This link was used already: each opens once. If the call still waits, it is under Approvals.',
	),
	'link/over': error(410, 'The call of this link no longer waits.'),
	'link/sign-in': error(401, 'This browser is not signed in, and there is no passkey to use instead.'),
	'passkey/needed': error(403, 'A passkey is needed for this.'),
	'passkey/browser': error(403, 'A passkey is enrolled, so only a browser with a passkey can decide; a token cannot.'),
	'passkey/code': error(403, "That is not the code on the server's terminal. Ask for a fresh one."),
	'passkey/terminal': error(
		409,
		'The server runs without a terminal, and your agents could read the code anywhere else. Stop it, run `signalbox start` in a terminal, and ask again.',
	),
	'passkey/refused': error(403, 'The passkey was not accepted for this. Try again.'),
	'passkey/stale': error(
		403,
		'The first passkey needs a sign-in of the last ten minutes. Sign out, sign in again, and retry.',
	),
	'access/not-found': error(404, 'There is no such sign-in, token or passkey any more.'),
	'edge/revoked': error(
		409,
		'This machine was revoked for good. Run `signalbox leave` on it, then join again with a new code.',
	),
	'person/not-found': error(404, 'There is no such person in a team of which you are an admin.'),
	'person/owner': error(409, 'The owner of the hub cannot be changed here.'),
	'person/role': error(404, 'There is no such role or team any more.'),
	'person/disabled': error(403, 'Your account at this hub is disabled. Ask an admin.'),
	'person/no-role': error(403, 'You have no role at this hub yet. Ask an admin.'),
	'oidc/refused': error(403, 'The sign-in was refused or took too long. Try again.'),
	'oidc/away': error(503, 'The sign-in provider does not answer. Try again in a moment.'),
	'hub/database': error(503, 'The hub cannot reach its database. Try again in a moment.'),
	'push/not-found': error(404, 'That browser gets no notifications any more.'),
	'push/too-many': error(409, 'Twenty browsers get notifications already. Remove one of them first.'),
	'session/not-found': error(404, 'There is no such session.'),
	'index/building': error(
		503,
		'The index is being built from the timelines and does not contain this session yet. Try again in a moment.',
	),
	'hub/watch-only': error(403, 'This machine does not let its hub decide. Decide at the machine itself.'),
	'hub/no-answer': error(503, 'The machine has not answered yet. The result appears here as soon as it arrives.'),
	'hub/under-way': error(
		409,
		'Somebody has already decided this, and the machine has not answered yet. Your decision was not sent.',
	),
	'hub/no-root': error(409, 'This hub has no root passkey yet: `signalbox hub root` on its own machine chooses one.'),
	'decision/assertion': error(
		409,
		'The machine did not accept the passkey’s answer for this call. Nothing was decided; try again.',
	),
	'decision/passkey': error(
		409,
		'The machine requires a passkey’s answer for this, and none was sent. Nothing was decided.',
	),
	'roster/none': error(
		409,
		'The machine does not know who may decide: it received no roster from its hub in the last 24 hours. Nothing was decided.',
	),
	'roster/person': error(
		409,
		'No passkey of yours is in the roster of that machine. An admin with a root passkey can sign it on the page People.',
	),
	'roster/place': error(
		409,
		'The roster of that machine does not let you decide there. An admin with a root passkey can sign it again on the page People.',
	),
	'hub/never-remote': error(
		403,
		'The machine’s owner lets this be approved only at the machine itself (hub.neverRemote). Nothing was decided.',
	),
	'grant/at-machine': error(
		403,
		'The machine’s owner lets nobody allow this for later calls from the hub. Approve it once, or remember it at the machine. Nothing was decided.',
	),
	'grant/of-machine': error(403, 'This grant was not made from this hub: it is revoked at the machine.'),
	'hub/refused': error(409, 'The machine has refused it. Nothing was decided.'),
	'hub/at-machine': error(404, 'This is done at the machine itself, not at its hub.'),
	'hub/archive-away': error(
		503,
		'The archive of this session cannot be read now. Try again; `signalbox hub doctor` says what is wrong.',
	),
	'file/not-found': error(404, 'That file is no longer there.'),
	'file/too-large': error(413, 'That file is too large to be shown.'),
	'file/changed': error(409, 'That file is not what was recorded: somebody has changed it.'),
	'route/not-found': error(404, 'There is no such page or route.'),
	'approval/not-found': error(404, 'There is no such approval.'),
	'approval/decided': error(409, 'Somebody has already decided this.'),
	'approval/late': error(410, 'Too late: the agent no longer waits for this decision.'),
	'approval/observed': error(
		409,
		'This home only observes: nobody can let a call run from here. To allow it, remove approvals.observe from config.json.',
	),
	'approval/edit-denied': error(422, 'The changed input is denied as well. Nothing was decided.'),
	'supervisor/busy': error(409, 'The state file of the supervisor cannot be written now. Try again.'),
	'feature/name': error(400, 'That cannot be the name of a feature.'),
	'feature/project': error(404, 'There is no such project, or its folder is gone.'),
	'feature/not-found': error(404, 'There is no such feature.'),
	'feature/exists': error(409, 'There is already a feature of that name.'),
	'feature/state': error(409, 'The state of the feature does not allow this.'),
	'feature/outside': error(409, 'The folder of the features is not inside the project.'),
	'feature/busy': error(409, 'The feature cannot be moved now. Try again.'),
	'workflow/unknown': error(400, 'There is no such workflow.'),
	'workflow/running': error(409, 'Another workflow runs in this session. Stop it first.'),
	'workflow/feature': error(409, 'The feature cannot be opened for this workflow.'),
	'workflow/state': error(409, 'The state of the workflow does not allow this.'),
	'workflow/session-over': error(409, 'This session has ended. Start the workflow in one that runs.'),
	'archive/damaged': error(500, 'A kept timeline is damaged; `signalbox archive verify` names the place.'),
	'alarm/not-found': error(404, 'There is no such alarm any more: its cause has changed.'),
	'grant/not-found': error(404, 'There is no such grant.'),
	'grant/no-denial': error(404, 'No denied call is recorded there.'),
	'grant/not-possible': error(
		409,
		'No grant can override this denial: its gate cannot tell which later call would be the same question.',
	),
	'grant/forgotten': error(503, 'It was approved once, but could not be remembered. Allow the next one when it asks.'),
	'grant/repeated': error(409, 'This was allowed from the hub a moment ago. Nothing more was allowed.'),
	'grant/expired': error(410, 'The machine got this too late. Nothing was allowed. Try again.'),
	'grant/waiting': error(409, 'The agent still waits for this call. Approve or deny it first.'),
	'grant/ended': error(409, 'This grant is no longer active.'),
	'subtasks/none': error(404, 'That assessment suggests no subtasks.'),
	'subtasks/no-feature': error(
		409,
		'This session has no feature in progress whose tasks.md could take them. Copy the text instead.',
	),
	'journal/unwritten': error(503, 'The journal could not be written, so nothing was changed.'),
	'otlp/token': error(
		401,
		'This is not the token for telemetry of this home. Run `signalbox init --telemetry` to give the client the right one.',
	),
	'otlp/invalid': error(400, 'The body is not an OTLP request for this path.'),
	'otlp/type': error(415, 'Send OTLP as application/json or application/x-protobuf, plain or in gzip.'),
	'otlp/too-large': error(413, 'The body is too large: at most 4 MiB are read, 16 MiB once unpacked.'),
	'otlp/slow': error(400, 'The body took too long to read: send fewer records at once.'),
	'otlp/busy': error(503, 'Too much telemetry comes in at once. Send it again in a moment.'),
	'server/failed': error(500, 'Something failed on our side; the log has the details.'),
} as const satisfies Record<string, { status: number; say: string }>;

export type ErrorCode = keyof typeof errors;

/** An error for people: its code decides the HTTP status and the advice; `detail` replaces the standard text. */
export class AppError extends Error {
	readonly code: ErrorCode;
	/** With `approval/edit-denied`: what a person must see before overriding it. */
	readonly denials: readonly Denial[] | undefined;
	constructor(code: ErrorCode, detail?: string, options?: ErrorOptions & { denials?: readonly Denial[] }) {
		super(detail ?? errors[code].say, options);
		this.code = code;
		this.denials = options?.denials;
	}
	get status() {
		return errors[this.code].status;
	}
	toBody() {
		return { error: { code: this.code, message: this.message, ...(this.denials && { denials: this.denials }) } };
	}
}
