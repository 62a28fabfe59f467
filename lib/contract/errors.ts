import type { Denial } from './events/catalogue/approval.ts';

/** The one table of errors: HTTP status, and what a person should do. */
export const errors = {
	'request/invalid': { status: 400, say: 'The request does not match the API; see /api/openapi.json.' },
	'request/too-large': { status: 413, say: 'The body is too large: at most 1 MiB is read.' },
	'request/length': { status: 411, say: 'Send the body in one piece, with its Content-Length.' },
	'request/wrong-type': { status: 415, say: 'Send application/json.' },
	'request/method': { status: 405, say: 'This route does not accept that method; see /api/openapi.json.' },
	'auth/missing': { status: 401, say: 'Sign in: run `signalbox open` for a fresh link, or send a bearer token.' },
	'auth/half': {
		status: 401,
		say: 'This browser has lost half of its sign-in: its storage for this page was cleared. Run `signalbox open` for a fresh link.',
	},
	'auth/forbidden': { status: 403, say: 'This token or session may not do that.' },
	'auth/origin': { status: 403, say: 'Requests from other origins are refused.' },
	'auth/host': { status: 421, say: 'This host name is not valid for signing in. Run `signalbox open` for a link.' },
	'auth/link-used': {
		status: 410,
		say: 'This link was used already or has expired. Run `signalbox open` for a fresh one.',
	},
	'auth/too-many': { status: 429, say: 'Too many failed attempts. Wait a minute.' },
	'link/wrong': {
		status: 404,
		say: 'This server has not made this link since it was started. If the call still waits, it is under Approvals.',
	},
	'link/used': {
		status: 410,
		say: 'This link was used already: each opens once. If the call still waits, it is under Approvals.',
	},
	'link/over': { status: 410, say: 'The call of this link no longer waits.' },
	'link/sign-in': { status: 401, say: 'This browser is not signed in, and there is no passkey to use instead.' },
	'passkey/needed': { status: 403, say: 'A passkey is needed for this.' },
	'passkey/browser': {
		status: 403,
		say: 'A passkey is enrolled, so only a browser with a passkey can decide; a token cannot.',
	},
	'passkey/code': { status: 403, say: "That is not the code on the server's terminal. Ask for a fresh one." },
	'passkey/terminal': {
		status: 409,
		say: 'The server runs without a terminal, and your agents could read the code anywhere else. Stop it, run `signalbox start` in a terminal, and ask again.',
	},
	'passkey/refused': { status: 403, say: 'The passkey was not accepted for this. Try again.' },
	'passkey/stale': {
		status: 403,
		say: 'The first passkey needs a sign-in of the last ten minutes. Sign out, sign in again, and retry.',
	},
	'access/not-found': { status: 404, say: 'There is no such sign-in, token or passkey any more.' },
	'edge/revoked': {
		status: 409,
		say: 'This machine was revoked for good. Run `signalbox leave` on it, then join again with a new code.',
	},
	'person/not-found': { status: 404, say: 'There is no such person in a team of which you are an admin.' },
	'person/owner': { status: 409, say: 'The owner of the hub cannot be changed here.' },
	'person/role': { status: 404, say: 'There is no such role or team any more.' },
	'person/disabled': { status: 403, say: 'Your account at this hub is disabled. Ask an admin.' },
	'person/no-role': { status: 403, say: 'You have no role at this hub yet. Ask an admin.' },
	'oidc/refused': { status: 403, say: 'The sign-in was refused or took too long. Try again.' },
	'oidc/away': { status: 503, say: 'The sign-in provider does not answer. Try again in a moment.' },
	'hub/database': { status: 503, say: 'The hub cannot reach its database. Try again in a moment.' },
	'push/not-found': { status: 404, say: 'That browser gets no notifications any more.' },
	'push/too-many': { status: 409, say: 'Twenty browsers get notifications already. Remove one of them first.' },
	'session/not-found': { status: 404, say: 'There is no such session.' },
	'index/building': {
		status: 503,
		say: 'The index is being built from the timelines and does not contain this session yet. Try again in a moment.',
	},
	'hub/watch-only': { status: 403, say: 'This machine does not let its hub decide. Decide at the machine itself.' },
	'hub/no-answer': {
		status: 503,
		say: 'The machine has not answered yet. The result appears here as soon as it arrives.',
	},
	'hub/under-way': {
		status: 409,
		say: 'Somebody has already decided this, and the machine has not answered yet. Your decision was not sent.',
	},
	'hub/no-root': {
		status: 409,
		say: 'This hub has no root passkey yet: `signalbox hub root` on its own machine chooses one.',
	},
	'decision/assertion': {
		status: 409,
		say: 'The machine did not accept the passkey’s answer for this call. Nothing was decided; try again.',
	},
	'decision/passkey': {
		status: 409,
		say: 'The machine requires a passkey’s answer for this, and none was sent. Nothing was decided.',
	},
	'roster/none': {
		status: 409,
		say: 'The machine does not know who may decide: it received no roster from its hub in the last 24 hours. Nothing was decided.',
	},
	'roster/person': {
		status: 409,
		say: 'No passkey of yours is in the roster of that machine. An admin with a root passkey can sign it on the page People.',
	},
	'roster/place': {
		status: 409,
		say: 'The roster of that machine does not let you decide there. An admin with a root passkey can sign it again on the page People.',
	},
	'hub/never-remote': {
		status: 403,
		say: 'The machine’s owner lets this be approved only at the machine itself (hub.neverRemote). Nothing was decided.',
	},
	'grant/at-machine': {
		status: 403,
		say: 'The machine’s owner lets nobody allow this for later calls from the hub. Approve it once, or remember it at the machine. Nothing was decided.',
	},
	'grant/of-machine': { status: 403, say: 'This grant was not made from this hub: it is revoked at the machine.' },
	'hub/refused': { status: 409, say: 'The machine has refused it. Nothing was decided.' },
	'hub/at-machine': { status: 404, say: 'This is done at the machine itself, not at its hub.' },
	'hub/archive-away': {
		status: 503,
		say: 'The archive of this session cannot be read now. Try again; `signalbox hub doctor` says what is wrong.',
	},
	'file/not-found': { status: 404, say: 'That file is no longer there.' },
	'file/too-large': { status: 413, say: 'That file is too large to be shown.' },
	'file/changed': { status: 409, say: 'That file is not what was recorded: somebody has changed it.' },
	'route/not-found': { status: 404, say: 'There is no such page or route.' },
	'approval/not-found': { status: 404, say: 'There is no such approval.' },
	'approval/decided': { status: 409, say: 'Somebody has already decided this.' },
	'approval/late': { status: 410, say: 'Too late: the agent no longer waits for this decision.' },
	'approval/observed': {
		status: 409,
		say: 'This home only observes: nobody can let a call run from here. To allow it, remove approvals.observe from config.json.',
	},
	'approval/edit-denied': { status: 422, say: 'The changed input is denied as well. Nothing was decided.' },
	'supervisor/busy': { status: 409, say: 'The state file of the supervisor cannot be written now. Try again.' },
	'feature/name': { status: 400, say: 'That cannot be the name of a feature.' },
	'feature/project': { status: 404, say: 'There is no such project, or its folder is gone.' },
	'feature/not-found': { status: 404, say: 'There is no such feature.' },
	'feature/exists': { status: 409, say: 'There is already a feature of that name.' },
	'feature/state': { status: 409, say: 'The state of the feature does not allow this.' },
	'feature/outside': { status: 409, say: 'The folder of the features is not inside the project.' },
	'feature/busy': { status: 409, say: 'The feature cannot be moved now. Try again.' },
	'workflow/unknown': { status: 400, say: 'There is no such workflow.' },
	'workflow/running': { status: 409, say: 'Another workflow runs in this session. Stop it first.' },
	'workflow/feature': { status: 409, say: 'The feature cannot be opened for this workflow.' },
	'workflow/state': { status: 409, say: 'The state of the workflow does not allow this.' },
	'workflow/session-over': { status: 409, say: 'This session has ended. Start the workflow in one that runs.' },
	'archive/damaged': { status: 500, say: 'A kept timeline is damaged; `signalbox archive verify` names the place.' },
	'alarm/not-found': { status: 404, say: 'There is no such alarm any more: its cause has changed.' },
	'grant/not-found': { status: 404, say: 'There is no such grant.' },
	'grant/no-denial': { status: 404, say: 'No denied call is recorded there.' },
	'grant/not-possible': {
		status: 409,
		say: 'No grant can override this denial: its gate cannot tell which later call would be the same question.',
	},
	'grant/forgotten': {
		status: 503,
		say: 'It was approved once, but could not be remembered. Allow the next one when it asks.',
	},
	'grant/repeated': { status: 409, say: 'This was allowed from the hub a moment ago. Nothing more was allowed.' },
	'grant/expired': { status: 410, say: 'The machine got this too late. Nothing was allowed. Try again.' },
	'grant/waiting': { status: 409, say: 'The agent still waits for this call. Approve or deny it first.' },
	'grant/ended': { status: 409, say: 'This grant is no longer active.' },
	'subtasks/none': { status: 404, say: 'That assessment suggests no subtasks.' },
	'subtasks/no-feature': {
		status: 409,
		say: 'This session has no feature in progress whose tasks.md could take them. Copy the text instead.',
	},
	'journal/unwritten': { status: 503, say: 'The journal could not be written, so nothing was changed.' },
	'otlp/token': {
		status: 401,
		say: 'This is not the token for telemetry of this home. Run `signalbox init --telemetry` to give the client the right one.',
	},
	'otlp/invalid': { status: 400, say: 'The body is not an OTLP request for this path.' },
	'otlp/type': { status: 415, say: 'Send OTLP as application/json or application/x-protobuf, plain or in gzip.' },
	'otlp/too-large': { status: 413, say: 'The body is too large: at most 4 MiB are read, 16 MiB once unpacked.' },
	'otlp/slow': { status: 400, say: 'The body took too long to read: send fewer records at once.' },
	'otlp/busy': { status: 503, say: 'Too much telemetry comes in at once. Send it again in a moment.' },
	'server/failed': { status: 500, say: 'Something failed on our side; the log has the details.' },
} as const satisfies Record<string, { status: number; say: string }>;

export type ErrorCode = keyof typeof errors;

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
