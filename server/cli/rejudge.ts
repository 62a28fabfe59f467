import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listSessions, timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { createRejudge, type Rejudged } from '#lib/rejudge/rejudge-session.ts';
import { type RejudgeSettings, rejudgeKeys, withRejudgeSetting } from '#lib/rejudge/rejudge-settings.ts';
import { printable } from '#lib/text/printable.ts';
import { MAX_TIMELINE_BYTES, sessionEvents } from '../archives/features/archived-events.ts';
import { defineCommand, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';
import { inTurns } from '../process/in-turns.ts';
import { sessionOf } from '../timeline/find-session.ts';
import { statTimeline } from '../timeline/tail/timeline-file.ts';
import { withArchives } from './feature-ports.ts';

export const rejudge = defineCommand({
	usage: 'rejudge [--session ID | --all] [--set KEY=JSON]... [--json]',
	about: [
		'Judges recorded calls again with other settings, and lists every call that would have got another answer, and whether',
		'it ran. Changes nothing. Verdicts that cannot be judged again (a model gave them, or a text was too large to be',
		'recorded) are counted separately.',
		'KEY is one of:',
		...rejudgeKeys.map((key) => `  ${key}`),
	].join('\n'),
	options: {
		session: { type: 'string', value: 'ID', about: 'one session (default: this one, or the newest of the project)' },
		all: { type: 'boolean', about: 'all sessions of the home' },
		set: { type: 'string', multiple: true, value: 'KEY=JSON', about: 'setting to try; may be repeated' },
		json: { type: 'boolean', about: 'print {judged, notJudged, changed} as JSON' },
	},
	examples: [
		`signalbox rejudge --all --set 'commands.exclude=["rm","sudo"]'`,
		'signalbox rejudge --session 5f1c --set gates.routing.enabled=false --json',
	],
	exits: { 0: 'done, whether verdicts would change or not', 1: 'the session was not found' },
	async run(values, _words, terminal) {
		if (values.all && values.session !== undefined) throw new UsageError('Give --session or --all, not both.');
		const settings = readSettings(values.set);
		const home = homeOf(terminal);
		const sessions = values.all ? recordedSessions(home) : [sessionOf(values.session, home, terminal.cwd, terminal)];
		const [only] = sessions;
		if (!values.all && only !== undefined && (only === HOME_SESSION || !existsSync(timelinePath(home, only)))) {
			const which = only === HOME_SESSION ? 'No session of this project' : `No session ${only}`;
			throw new Error(`${which} is recorded in ${home}. Give one with --session ID, or all with --all.`);
		}
		const total: Rejudged = { judged: 0, notJudged: 0, changed: [] };
		await withArchives(home, async ({ proofOf }) => {
			for (const sessionId of sessions) {
				const look = statTimeline(join(home, 'sessions'), sessionId);
				const isLarge = typeof look === 'object' && look.size > MAX_TIMELINE_BYTES;
				const events = isLarge ? null : sessionEvents({ home, proofOf }, sessionId);
				if (!events) {
					terminal.say(`The timeline of ${sessionId} is not a regular file, or larger than 1 GiB: it is skipped.`);
					continue;
				}
				const session = createRejudge(settings);
				for await (const { event } of events) session.add(event);
				const one = await inTurns(session.judge());
				total.judged += one.judged;
				total.notJudged += one.notJudged;
				total.changed.push(...one.changed);
			}
		});
		if (values.json) terminal.print(JSON.stringify(total));
		else report(total, terminal);
		return EXIT.done;
	},
});

function recordedSessions(home: string): string[] {
	return listSessions(home).filter((sessionId) => existsSync(timelinePath(home, sessionId)));
}

function readSettings(given: readonly string[] = []): RejudgeSettings {
	let settings: RejudgeSettings = { enabled: new Map() };
	for (const pair of given) {
		const at = pair.indexOf('=');
		if (at === -1) throw new UsageError(`--set takes KEY=JSON, not ${JSON.stringify(pair)}.`);
		const key = pair.slice(0, at);
		const next = withRejudgeSetting(settings, key, parseJson(key, pair.slice(at + 1)));
		if ('wrong' in next) throw new UsageError(`--set ${key}: ${next.wrong}.`);
		settings = next;
	}
	return settings;
}

function parseJson(key: string, text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new UsageError(`--set ${key}: ${JSON.stringify(text)} is not JSON. Write texts in "quotes", lists in [].`);
	}
}

function report({ judged, notJudged, changed }: Rejudged, terminal: Terminal): void {
	const count = (after: string) => changed.filter((each) => each.after === after).length;
	terminal.print(
		`${judged} verdicts judged again, ${notJudged} cannot be. ${changed.length} would change: ${count('deny')} more denied, ${changed.length - count('deny')} no longer denied.`,
	);
	for (const { sessionId, before, after, rule, title, ran } of changed)
		terminal.print(
			`${sessionId}  ${before} -> ${after}  ${rule}  ${ran ? 'ran' : 'did not run'}  ${printable(title, 100)}`,
		);
}
