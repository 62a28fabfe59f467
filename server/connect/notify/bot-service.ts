import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import type { BotCommand } from '#lib/notify/bot-command.ts';
import { summarise } from '#lib/session/summarise.ts';
import type { SessionView } from '#lib/session/view.ts';
import { printable } from '#lib/text/printable.ts';

/** Answers what a listed chat asks. */
export interface BotService {
	answer(command: BotCommand): Promise<string>;
}

const MOST_LISTED = 10;
const HELP =
	'/sessions lists sessions\n/status [id] tells how one stands\n/stop [id] stops its workflow and loop\nWithout an id: the newest active session.';
const MARKS = { pending: '○', active: '◐', done: '●', issues: '◍', failed: '✗' } as const;

export function createBotService(options: {
	views: () => SessionView[];
	/** False when the session has nothing to stop. */
	stop: (sessionId: string) => Promise<boolean>;
	now: () => number;
}): BotService {
	const { views, stop, now } = options;

	const newestFirst = (): SessionSummary[] =>
		views()
			.filter(({ sessionId }) => sessionId !== HOME_SESSION)
			.map((view) => summarise(view, now()))
			.sort((a, b) => ((a.lastAt ?? '') < (b.lastAt ?? '') ? 1 : -1));

	/** By id or by the beginning of one: a phone is no place to type 36 letters. */
	const find = (sessionId: string | undefined): SessionSummary | undefined => {
		const all = newestFirst();
		if (sessionId === undefined) return all.find(isLive) ?? all[0];
		return all.find((one) => one.sessionId === sessionId) ?? all.find((one) => one.sessionId.startsWith(sessionId));
	};

	return {
		async answer(command) {
			if (command.name === 'help') return HELP;
			if (command.name === 'sessions') {
				return newestFirst().slice(0, MOST_LISTED).map(lineOf).join('\n') || 'There are no sessions yet.';
			}
			const session = find(command.sessionId);
			if (!session) return 'There is no such session. /sessions lists them.';
			if (command.name === 'status') return statusOf(session);
			const stopped = await stop(session.sessionId);
			return `${stopped ? 'Stopped' : 'Nothing to stop'}: ${lineOf(session)}`;
		},
	};
}

const isLive = ({ status }: SessionSummary) => status !== 'ended' && status !== 'lost';

function lineOf({ sessionId, project, status, workflow }: SessionSummary): string {
	return printable([sessionId.slice(0, 8), project ?? '', status, workflow ?? ''].filter(Boolean).join(' · '));
}

function statusOf(session: SessionSummary): string {
	const { stages, agents, doing, approvals, counts } = session;
	const lines = [
		lineOf(session),
		stages.map(({ key, state }) => `${MARKS[state]} ${key}`).join(' '),
		agents.length > 0 ? `at work: ${agents.join(', ')}` : '',
		doing?.text ?? '',
		approvals.length > 0 ? `waiting for a person: ${approvals.length}` : '',
		`calls ${counts.calls}, errors ${counts.errors}, denials ${counts.denials}, overrides ${counts.overrides}`,
	];
	return lines
		.map((line) => printable(line, 400))
		.filter(Boolean)
		.join('\n');
}
