'use client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { ServerStatus } from '#lib/contract/health/status.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { AuditLine } from '../decisions/audit/audit-line.tsx';
import { useSay } from '../language/use-say.ts';
import { callRouteAs } from '../live/call-route.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { useNow } from '../live/now.ts';
import { useAnswer } from '../live/use-answer.ts';
import { MayBeOld } from '../ui/may-be-old.tsx';
import { NotYet } from '../ui/not-yet.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ChannelList } from './channel-list.tsx';
import { HealthAnswer } from './health-answer.tsx';
import { IncidentList } from './incidents/incident-list.tsx';
import { ProjectList } from './project-list.tsx';
import { RetentionList } from './retention-list.tsx';
import { TelemetryFacts } from './telemetry-facts.tsx';

/** Asked for again this often (ms). */
const AGAIN_MS = 5000;
const askStatus = () => callRouteAs('GET /api/status', ServerStatus);

/** How the server and what it depends on stand: what the doctor tells, without a terminal. */
export function StatusPage() {
	const say = useSay();
	const { data: status, error } = useAnswer(askStatus, AGAIN_MS);
	if (!status) return <NotYet label={say('Health is loading')} error={error} />;
	return (
		<div className="mx-auto flex max-w-5xl flex-col gap-5 p-4 pb-8">
			<div>
				<h1 className="font-semibold text-title">{say('Health')}</h1>
				<MayBeOld error={error} />
			</div>
			<HealthAnswer status={status} />
			<Part title={say('Projects')}>
				<ProjectList projects={status.projects} />
			</Part>
			<Part title={say('Incidents')}>
				<IncidentList incidents={status.incidents} />
			</Part>
			<Part title={say('Notifications')} anchor="notifications">
				<ChannelList channels={status.channels} />
			</Part>
			<ServerFacts status={status} />
			<Part title={say('Telemetry')}>
				<TelemetryFacts counts={status.telemetry} />
			</Part>
			<Part title={say('Retention')}>
				<RetentionList />
			</Part>
			<Part title={say('Warnings of the server')}>
				<LogList log={status.log} />
			</Part>
			<AuditLine />
		</div>
	);
}

function Part({ title, anchor, children }: { title: string; anchor?: string; children: ReactNode }) {
	return (
		<section id={anchor} aria-label={title} className="flex scroll-mt-14 flex-col gap-1">
			<h2 className="font-semibold text-muted text-small uppercase">{title}</h2>
			{children}
		</section>
	);
}

function ServerFacts({ status }: { status: ServerStatus }) {
	const say = useSay();
	const { version, startedAt, home, port, door, sessions, events, building } = status;
	const { sockets, model } = status;
	return (
		<Part title={say('Server')}>
			<dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 tabular-nums">
				<Fact name={say('Hooks')}>
					<span className={door ? 'text-ok' : 'text-err'}>
						<span aria-hidden>{door ? '✓ ' : '✕ '}</span>
						{door ? say('served') : say('not served yet')}
					</span>
				</Fact>
				<Fact name={say('Recorded')}>
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
				</Fact>
				<Fact name={say('People')}>
					{/* Who reads this has one open, also while it is still connecting. */}
					{say('{count} open {count:page|pages}', { count: Math.max(1, sockets) })}
				</Fact>
				<Fact name={say('Access')}>
					<Link href="/access" className="text-accent underline">
						{say('Passkeys, sign-ins and tokens')}
					</Link>
				</Fact>
				<Fact name={say('Model')}>
					{model === null ? say('none: validators answer with their fallbacks') : <AgentText>{model}</AgentText>}
				</Fact>
				<Fact name={say('Version')}>{version}</Fact>
				<Fact name={say('Up for')}>
					<LiveDuration from={startedAt} />
				</Fact>
				<Fact name={say('Port')}>{port}</Fact>
				<Fact name={say('Home')}>
					<AgentText className="font-mono text-mono">{home}</AgentText>
				</Fact>
			</dl>
		</Part>
	);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<dt className="text-muted">{name}</dt>
			<dd className="[overflow-wrap:anywhere]">{children}</dd>
		</>
	);
}

function LogList({ log }: { log: ServerStatus['log'] }) {
	const say = useSay();
	const now = useNow();
	if (log.length === 0) return <p className="text-muted">{say('None since the server started.')}</p>;
	return (
		<ul>
			{log.map(({ ts, level, message }, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same in all they have.
				<li key={`${ts} ${at}`} className="flex flex-wrap gap-x-3">
					<time dateTime={ts} className="text-muted tabular-nums">
						{clockOrDate(ts, now, say.language)}
					</time>
					<span className={level === 'error' ? 'text-err' : 'text-warn'}>
						<span aria-hidden>{level === 'error' ? '✕ ' : '▲ '}</span>
						{level === 'error' ? say('error') : say('warning')}
					</span>
					<AgentText className="min-w-0 [overflow-wrap:anywhere]">{message}</AgentText>
				</li>
			))}
		</ul>
	);
}
