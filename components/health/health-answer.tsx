import type { ReactNode } from 'react';
import type { Incident } from '#lib/contract/health/incidents.ts';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import { urgentIncidents } from '#lib/incidents/loud-incidents.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import { BarStrip } from '../decisions/ledger-figures.tsx';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { rowAddress } from '../row/addresses.ts';
import { cn } from '../ui/cn.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Part } from '../ui/part.tsx';
import { Advice, useCommand } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { When } from '../ui/when.tsx';

export function HealthAnswer({ status }: { status: ServerStatus }) {
	const say = useSay();
	const now = useNow();
	const { hooksPerMinute, hooksLastHour, hookTimes, room, incidents } = status;
	const needs = useNeeds(status, urgentIncidents(incidents, now));
	const most = Math.max(0, ...hooksLastHour);
	const count = needs.length;
	const isUnheard = status.channels.length === 0;
	return (
		<div className="flex flex-col gap-4">
			<p role="status" className={cn('font-semibold text-title', count === 0 ? 'text-ok' : 'text-warn')}>
				<span aria-hidden>{count === 0 ? '✓ ' : '▲ '}</span>
				{count === 0 ? say('All well') : say('{count} {count:thing needs|things need} you', { count })}
				{isUnheard && <span className="font-normal text-muted text-ui"> · {say('1 thing to set up')}</span>}
			</p>
			{count > 0 && (
				<ul aria-label={say('Needs you')} className="border-line border-t">
					{needs.map(({ key, words, mend }) => (
						<NeedLine key={key} mend={mend}>
							{words}
						</NeedLine>
					))}
				</ul>
			)}
			<dl className="grid grid-cols-3 gap-x-3 tabular-nums sm:gap-x-8">
				<Figure name={say('Hooks, last minute')} value={hooksPerMinute}>
					{most > 0 && (
						<BarStrip
							label={say('Hooks a minute in the last hour, at most {most}', { most })}
							days={hooksLastHour.map((value, index) => ({
								day: `−${hooksLastHour.length - index} min`,
								value,
								words: String(value),
							}))}
							most={most}
							tone="run"
							className="h-6 max-w-50"
						/>
					)}
				</Figure>
				<Figure name={say('Median answer')} value={hookTimes && say('{ms} ms', { ms: hookTimes.p50 })}>
					{hookTimes && say('95 % under {p95} ms', hookTimes)}
				</Figure>
				<Figure name={say('Free on disk')} value={room && byteSize(room.free, say.language)} />
			</dl>
			{isUnheard && (
				<Part isList title={say('Worth setting up')}>
					<NeedLine mend={<CopyButton label={say('Copy an example')} text={() => EXAMPLE} />}>
						<Advice>
							{say('No one hears of a waiting call while no page is open. Set `notify.channels` in config.json.')}
						</Advice>
					</NeedLine>
				</Part>
			)}
		</div>
	);
}

function NeedLine({ mend, children }: { mend: ReactNode; children: ReactNode }) {
	return (
		<li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1 [overflow-wrap:anywhere]">
			<span className="min-w-0 flex-1">{children}</span>
			{mend}
		</li>
	);
}

function Figure({ name, value, children }: { name: string; value: ReactNode; children?: ReactNode }) {
	return (
		<div>
			<dt className="text-muted text-small">{name}</dt>
			<dd>
				<span className="font-semibold text-title">{value ?? '–'}</span>{' '}
				<span className="block text-muted text-small">{children}</span>
			</dd>
		</div>
	);
}

interface Need {
	key: string;
	words: ReactNode;
	mend?: ReactNode;
}

function useNeeds({ door, room, projects }: ServerStatus, urgent: readonly Incident[]): Need[] {
	const say = useSay();
	const needs: Need[] = [];
	if (!door) needs.push({ key: 'door', words: say('Hooks are not served yet.') });
	if (room?.isLow) needs.push({ key: 'room', words: say('The disk of the home is nearly full.') });
	for (const incident of urgent) {
		const { code, about, at, until, fix, sessionId } = incident;
		needs.push({
			key: `${code} ${about} ${at}`,
			words: (
				<bdi>
					<Advice>{say.field(incident, 'message')}</Advice> <When at={at} className="text-small" />
					{fix !== undefined && until === null && <Advice>{` ${say.field(incident, 'fix')}`}</Advice>}
				</bdi>
			),
			mend: sessionId !== undefined && <TextLink href={rowAddress(sessionId)}>{say('Session')}</TextLink>,
		});
	}
	for (const { project, findings } of projects) {
		for (const finding of findings) {
			const { state, name, detail, fix } = finding;
			if (state === 'note') continue;
			needs.push({
				key: `${project} ${name} ${detail}`,
				words: (
					<>
						<AgentText className="font-mono text-mono">{project.split('/').at(-1) ?? project}</AgentText>:{' '}
						{say.field(finding, 'name')}, <AgentText>{say.field(finding, 'detail')}</AgentText>
					</>
				),
				...(fix !== undefined && { mend: <Fix advice={say.field(finding, 'fix')} /> }),
			});
		}
	}
	return needs;
}

const EXAMPLE = '"notify": { "channels": { "desk": { "kind": "ntfy", "url": "https://ntfy.sh/TOPIC" } } }';

export function Fix({ advice, label }: { advice: string; label?: string }) {
	const say = useSay();
	const command = useCommand(advice);
	if (command === null) return <Advice>{advice}</Advice>;
	return <CopyButton label={label ?? say('Copy the command that mends it')} text={() => command} />;
}
