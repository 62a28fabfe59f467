import { projectHash } from '#hooks-bridge/features/feature-id.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { RejudgeAnswer, RejudgeQuery } from '#lib/contract/rules/rejudge.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { isJson, parsedJson } from '#lib/json/json.ts';
import { createRejudge, type Rejudged } from '#lib/rejudge/rejudge-session.ts';
import { asChangeOf, type RejudgeSettings, withRejudgeSetting } from '#lib/rejudge/rejudge-settings.ts';
import { inTurns } from '../../process/in-turns.ts';
import type { TailStore } from '../../timeline/store/index-store.ts';

/** An answer takes about this long; the next request continues after its last session. */
const ENOUGH_MS = 2000;
/** Few enough that a hook waits no longer than usual. */
const PAGE = 200;
/** A hook takes several turns of the loop, and waits in each. */
const TURN_MS = 2;
const MAX_CHANGED = 300;

export interface RejudgeServiceOptions {
	index: Pick<TailStore, 'events'>;
	views: () => readonly SessionView[];
	ports: Pick<Ports, 'projectRootOf'>;
}

/** Judges recorded calls under other settings; reads only the index, and changes nothing. */
export function createRejudgeService({ index, views, ports }: RejudgeServiceOptions) {
	function* steps(sessionId: string, settings: RejudgeSettings): Generator<undefined, Rejudged> {
		const session = createRejudge(settings);
		for (let after = 0; ; ) {
			const events = index.events(sessionId, { after, limit: PAGE });
			for (const event of events) session.add(event);
			after = events.at(-1)?.seq ?? after;
			if (events.length < PAGE) return yield* session.judge();
			yield;
		}
	}

	function sessionsOf({ session, project }: RejudgeQuery): string[] {
		const known = views().filter(({ sessionId, reviewer }) => sessionId !== HOME_SESSION && !reviewer);
		const mine = known.filter(({ sessionId, cwd }) => {
			if (session !== undefined) return sessionId === session;
			return project === undefined || (cwd !== undefined && projectHash(ports.projectRootOf(cwd)) === project);
		});
		return mine.map(({ sessionId }) => sessionId).sort();
	}

	return {
		/** Judges sessions by id until its time is up. Throws `request/invalid`. */
		async judge(query: RejudgeQuery): Promise<RejudgeAnswer> {
			const wanted = settingsOf(parseProposedSettings(query.set));
			const settings =
				query.base === undefined ? wanted : asChangeOf(wanted, settingsOf(parseProposedSettings(query.base)));
			const due = sessionsOf(query).filter((sessionId) => query.before === undefined || sessionId > query.before);
			const answer: RejudgeAnswer = {
				sessions: 0,
				judged: 0,
				notJudged: 0,
				added: 0,
				spared: 0,
				changed: [],
				next: null,
			};
			const until = performance.now() + ENOUGH_MS;
			for (const sessionId of due) {
				const { judged, notJudged, changed } = await inTurns(steps(sessionId, settings), TURN_MS);
				answer.sessions += 1;
				answer.judged += judged;
				answer.notJudged += notJudged;
				answer.added += changed.filter(({ after }) => after === 'deny').length;
				answer.spared += changed.filter(({ before }) => before === 'deny').length;
				answer.changed.push(...changed.slice(0, MAX_CHANGED - answer.changed.length));
				if (performance.now() < until || sessionId === due.at(-1)) continue;
				return { ...answer, next: sessionId };
			}
			return answer;
		},
	};
}

export type RejudgeService = ReturnType<typeof createRejudgeService>;

export type ProposedSettings = Readonly<Record<string, unknown>>;

/** The settings in a JSON text. Throws `request/invalid`, saying what is wrong. */
export function parseProposedSettings(text: string): ProposedSettings {
	const value = parsedJson(text);
	if (value === undefined) throw new AppError('request/invalid', 'The settings are no JSON.');
	if (!isJson(value)) throw new AppError('request/invalid', 'The settings are an object, a path for each.');
	return value as ProposedSettings;
}

/** The settings in the form that gates receive. Throws `request/invalid`, naming the wrong setting. */
export function settingsOf(values: ProposedSettings): RejudgeSettings {
	let settings: RejudgeSettings = { enabled: new Map() };
	for (const [key, value] of Object.entries(values)) {
		const next = withRejudgeSetting(settings, key, value);
		if ('wrong' in next) throw new AppError('request/invalid', `${key}: ${next.wrong}.`);
		settings = next;
	}
	return settings;
}
