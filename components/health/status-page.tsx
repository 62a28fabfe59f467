'use client';
import { RetentionPlan } from '#lib/contract/archives/retention.ts';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { Incident } from '#lib/contract/health/incidents.ts';
import {
	type ChannelState,
	type ProjectHealth,
	ServerStatus,
	type TelemetryCounts,
} from '#lib/contract/health/status.ts';
import { isOver, urgentIncidents } from '#lib/incidents/loud-incidents.ts';
import type { Say } from '#lib/messages/say.ts';
import { policyWords, sizeWords } from '#lib/retention/retention-words.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { AuditLine } from '../decisions/audit-line.tsx';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { rowAddress } from '../row/addresses.ts';
import { AnswerPending } from '../ui/answer-state.tsx';
import { GridFact } from '../ui/detail-fact.tsx';
import { Page } from '../ui/page.tsx';
import { Part } from '../ui/part.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { When } from '../ui/when.tsx';
import { Fix, HealthAnswer } from './health-answer.tsx';

const REFRESH_MS = 5000;

export function StatusPage() {
	const say = useSay();
	const { data: status, error } = useRoute('GET /api/status', {}, { everyMs: REFRESH_MS, schema: ServerStatus });
	if (!status) return <AnswerPending label={say('Health is loading')} error={error} />;
	return (
		<Page title={say('Health')} error={error}>
			<HealthAnswer status={status} />
			<ProjectList status={status} />
			<IncidentList incidents={status.incidents} />
			<ServerFacts status={status} />
			<AuditLine />
		</Page>
	);
}

function ServerFacts({ status }: { status: ServerStatus }) {
	const say = useSay();
	const { version, startedAt, home, port, sessions, events, building } = status;
	const { model, channels, telemetry, log } = status;
	return (
		<Part title={say('Server')}>
			<dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 tabular-nums *:min-h-7">
				<GridFact name={say('Recorded')}>
					{say('{count} {count:session|sessions}', { count: sessions })}
					{', '}
					{say('{count} {count:event|events}', { count: events })}
					{building && (
						<span className="text-warn">
							{say('; the index is being built from the timelines: {share} %', {
								share: Math.floor((100 * building.read) / (building.total || 1)),
							})}
						</span>
					)}
				</GridFact>
				<GridFact name={say('Model')}>{model ?? say('none, so validators give their default answers')}</GridFact>
				{channels.length > 0 && (
					<GridFact name={say('Notifications')}>
						<ChannelList channels={channels} />
					</GridFact>
				)}
				<GridFact name={say('Telemetry')}>
					<TelemetryFacts counts={telemetry} />
				</GridFact>
				<GridFact name={say('Retention')}>
					<RetentionList />
				</GridFact>
				<GridFact name={say('Warnings')}>
					<LogList log={log.filter(({ message }) => !message.startsWith('incident: '))} />
				</GridFact>
				<GridFact name={say('Version')}>
					<Phrase
						of="{version}, running for {time} on port {port}"
						with={{ version, time: <LiveDuration from={startedAt} />, port: String(port) }}
					/>
				</GridFact>
				<GridFact isCode name={say('Home')}>
					{home}
				</GridFact>
			</dl>
		</Part>
	);
}

function LogList({ log }: { log: ServerStatus['log'] }) {
	const say = useSay();
	if (log.length === 0) return <p className="text-muted">{say('None since the server started.')}</p>;
	return (
		<ul>
			{log.map(({ ts, level, message }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal in all fields.
				<li key={`${ts} ${index}`} className="flex flex-wrap gap-x-3">
					<When at={ts} />
					<Toned tone={level === 'error' ? 'err' : 'warn'}>{level === 'error' ? say('error') : say('warning')}</Toned>
					<AgentText className="min-w-0 [overflow-wrap:anywhere]">{message}</AgentText>
				</li>
			))}
		</ul>
	);
}

function ChannelList({ channels }: { channels: readonly ChannelState[] }) {
	const say = useSay();
	const now = useNow();
	return (
		<ul>
			{channels.map((channel) => {
				const { tone, words } = statusMark(channel, now, say);
				return (
					<li key={channel.name} className="flex flex-wrap gap-x-3">
						<AgentText className="font-medium">{channel.name}</AgentText>
						<span className="text-muted">{channel.kind}</span>
						<Toned tone={tone}>{words}</Toned>
					</li>
				);
			})}
		</ul>
	);
}

function statusMark({ missing, last }: ChannelState, now: number, say: Say): { tone: Tone; words: string } {
	if (missing !== null)
		return { tone: 'warn', words: say('left out: set {missing} for the server and restart it', { missing }) };
	if (!last) return { tone: 'plain', words: say('no message yet') };
	const time = clockOrDate(last.ts, now, say.language);
	if (last.ok) return { tone: 'ok', words: say('last message sent {time}', { time }) };
	const reason = last.reason ?? say('no reason given');
	return { tone: 'err', words: say('last message failed {time}: {reason}', { time, reason }) };
}

/** Incidents that need nobody any more; the others are at the top of the page. */
function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
	const say = useSay();
	const now = useNow();
	const urgent = urgentIncidents(incidents, now);
	const past = incidents.filter((incident) => !urgent.includes(incident));
	if (past.length === 0 && urgent.length > 0) return null;
	return (
		<Part isList title={urgent.length > 0 ? say('Other incidents') : say('Incidents')}>
			{past.length === 0 && <li className="pt-1 text-muted">{say('None since the server started.')}</li>}
			{past.map(({ code, about, sessionId, at, until, ...words }) => (
				<li
					key={`${code} ${about} ${at}`}
					className="grid grid-cols-[4rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-line border-b py-1.5 [overflow-wrap:anywhere]"
				>
					<When at={at} />
					<bdi>
						<Advice>{say.field(words, 'message')}</Advice>{' '}
						{isOver({ at, until }) && <span className="text-muted">{say('over')}</span>}
					</bdi>
					<span className="flex gap-x-3">
						{code === 'access/minted' && <TextLink href="/access">{say('Access')}</TextLink>}
						{sessionId !== undefined && <TextLink href={rowAddress(sessionId)}>{say('Session')}</TextLink>}
					</span>
				</li>
			))}
		</Part>
	);
}

/** Findings that need action are shown at the top of the page, with the remedy. */
const needsAction = ({ state }: ProjectHealth['findings'][number]) => state !== 'note';

const folderName = (project: string) => project.split('/').at(-1) ?? project;

function ProjectList({ status: { projects, home, incidents } }: { status: ServerStatus }) {
	const say = useSay();
	const now = useNow();
	const sessions = useLive((state) => state.sessions);
	const projectsInTrouble = new Set(
		urgentIncidents(incidents, now).map(({ sessionId = '' }) => sessions?.[sessionId]?.project),
	);
	return (
		<Part isList title={say('Projects')} count={projects.length || undefined}>
			{projects.length === 0 && (
				<li className="pt-1 text-muted">
					<Advice>
						{say('None registered or recorded on this machine yet. Run `signalbox init --project DIR` for a project.')}
					</Advice>
				</li>
			)}
			{projects.map(({ project, checks, findings }) => {
				const name = folderName(project);
				const isInTrouble = findings.some(needsAction) || projectsInTrouble.has(name);
				return (
					<li key={project} className="border-line border-b py-1.5">
						<div className="flex flex-wrap items-baseline gap-x-3">
							<AgentText className="min-w-40 truncate font-medium">{name}</AgentText>
							<AgentText className="min-w-0 flex-1 truncate font-mono text-mono text-muted max-sm:hidden">
								{project === `${home}/${name}` ? '' : project}
							</AgentText>
							<Toned tone={isInTrouble ? 'warn' : 'ok'} className="ml-auto">
								{isInTrouble ? say('needs you, see above') : say('{checks} {checks:check|checks} passed', { checks })}
							</Toned>
						</div>
						{findings
							.filter((finding) => !needsAction(finding))
							.map((finding) => (
								<p key={`${finding.name} ${finding.detail}`} className="text-muted [overflow-wrap:anywhere]">
									{say.field(finding, 'name')}:{' '}
									<AgentText>{withinProject(say.field(finding, 'detail'), project)}</AgentText>
									{finding.fix !== undefined && (
										<span className="block">
											<Phrase
												of="What to do: {advice}"
												with={{ advice: <Advice>{say.field(finding, 'fix')}</Advice> }}
											/>
										</span>
									)}
								</p>
							))}
					</li>
				);
			})}
		</Part>
	);
}

/** Replaces absolute paths in the project by relative ones. */
export const withinProject = (words: string, project: string) => words.replaceAll(`${project}/`, '');

/** How much the retention would remove now. The page itself removes nothing. */
function RetentionList() {
	const say = useSay();
	const { data: plan, error } = useRoute('GET /api/retention', {}, { schema: RetentionPlan });
	if (!plan) return <p className="text-muted">{error === null ? say('Health is loading') : say.known(error)}</p>;
	const { policy, problems, remove, bytes } = plan;
	const words = policyWords(policy);
	return (
		<>
			{problems.map((problem) => (
				<p key={problem} className="text-warn [overflow-wrap:anywhere]">
					<AgentText>{problem}</AgentText>
				</p>
			))}
			<p>
				{words === ''
					? say('Everything is kept: config.json of the home sets no retention.')
					: say('Set for the home: {numbers}', { numbers: words })}
				{words !== '' && (policy.automatic ? say('; the server does it by itself') : say('; done by hand'))}
			</p>
			{remove.length > 0 && (
				<p>
					<Phrase
						of="{count} would go now, which frees {size}: {advice}"
						with={{
							...{ count: remove.length, size: sizeWords(bytes) },
							advice: (
								<Advice>{say('`signalbox archive prune` compares them with their archives and lists them.')}</Advice>
							),
						}}
					/>
				</p>
			)}
		</>
	);
}

export function TelemetryFacts({ counts }: { counts: TelemetryCounts }) {
	const say = useSay();
	if (counts.records + counts.refused + counts.rejected === 0) {
		return (
			<p className="flex flex-wrap items-center justify-between gap-x-3 text-muted">
				{say('No client has sent any.')}{' '}
				<Fix
					advice={say('`signalbox init --telemetry` has them do it.')}
					label={say('Copy the command that starts it')}
				/>
			</p>
		);
	}
	return (
		<ul className="tabular-nums">
			{telemetryLines(counts, say).map(({ words, tone = '' }) => (
				<li key={words} className={tone}>
					{words}
				</li>
			))}
		</ul>
	);
}

function telemetryLines(counts: TelemetryCounts, say: Say): { words: string; tone?: string }[] {
	const { records, told: recorded, inTranscript, waiting, unjoined, callless, rejected, refused } = counts;
	const lineIf = (count: number, words: string, tone: string) => (count === 0 ? [] : [{ words, tone }]);
	return [
		{ words: say('{count} {count:record|records} read, {recorded} recorded', { count: records, recorded }) },
		...lineIf(inTranscript, say('{count} also in a transcript, which counts', { count: inTranscript }), 'text-muted'),
		...lineIf(waiting, say('{count} waiting for the first hook of their session', { count: waiting }), 'text-muted'),
		...lineIf(callless, say('{count} about a call that nobody knows', { count: callless }), 'text-muted'),
		...lineIf(unjoined, say('{count} of sessions that nobody knows', { count: unjoined }), 'text-warn'),
		...lineIf(rejected, say('{count} unreadable or too many at once', { count: rejected }), 'text-warn'),
		...lineIf(refused, say('{count} {count:request|requests} refused', { count: refused }), 'text-warn'),
	];
}
