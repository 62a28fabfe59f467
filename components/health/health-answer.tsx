import type { ReactNode } from 'react';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import { loudIncidents } from '#lib/incidents/loud-incidents.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { BarStrip } from '../decisions/ledger-figures.tsx';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { cn } from '../ui/cn.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Advice, useCommand } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

export function HealthAnswer({ status }: { status: ServerStatus }) {
	const say = useSay();
	const now = useNow();
	const { hooksPerMinute, hooksLastHour, hookTimes, room, incidents, waiting } = status;
	const needs = useNeeds(status);
	const fresh = loudIncidents(incidents, now, now).length;
	const last = incidents[0];
	const count = needs.filter(({ isAdvice }) => !isAdvice).length;
	const isWell = count === 0 && fresh === 0;
	return (
		<div className="flex flex-col gap-2">
			<p role="status" className={cn('font-semibold text-title', isWell ? 'text-ok' : 'text-warn')}>
				<span aria-hidden>{isWell ? '✓ ' : '▲ '}</span>
				{isWell
					? say('All well')
					: count > 0
						? say('{count} {count:thing needs|things need} you', { count })
						: say('{count} {count:incident|incidents} to look at', { count: fresh })}
			</p>
			{needs.length > 0 && (
				<ul aria-label={say('Needs you')} className="flex flex-col gap-1">
					{needs.map(({ key, isAdvice, words, mend }) => (
						<li key={key} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
							<span className={isAdvice ? 'text-muted' : 'text-warn'}>
								<span aria-hidden>{isAdvice ? '! ' : '▲ '}</span>
							</span>
							<span className="min-w-0 flex-1">{words}</span>
							{mend}
						</li>
					))}
				</ul>
			)}
			<dl className="grid grid-cols-2 gap-x-6 gap-y-2 border-line border-y py-2 tabular-nums sm:grid-cols-[2fr_2fr_1fr_1fr_1fr]">
				<Figure name={say('Hooks in the last minute')}>
					{hooksPerMinute}
					<BarStrip
						label={say('{count} {count:hook|hooks} in the last hour', {
							count: hooksLastHour.reduce((sum, hooks) => sum + hooks, 0),
						})}
						days={hooksLastHour.map((value, at) => ({
							day: `−${hooksLastHour.length - at} min`,
							value,
							words: String(value),
						}))}
						most={Math.max(1, ...hooksLastHour)}
						tone="run"
						className="h-4 max-w-32"
					/>
				</Figure>
				<Figure name={say('Hooks answered within')}>
					{hookTimes ? say('{p50} ms, 95 % within {p95} ms', hookTimes) : '–'}
				</Figure>
				<Figure name={say('Free on disk')}>{room ? byteSize(room.free, say.language) : '–'}</Figure>
				<Figure name={say('Waiting calls')}>{waiting}</Figure>
				<Figure name={say('Last incident')}>
					{last === undefined ? say('none') : clockOrDate(last.at, now, say.language)}
				</Figure>
			</dl>
		</div>
	);
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
	return (
		<div>
			<dt className="text-muted text-small">{name}</dt>
			<dd className="flex items-center gap-2">{children}</dd>
		</div>
	);
}

interface Need {
	key: string;
	isAdvice?: boolean;
	words: ReactNode;
	mend?: ReactNode;
}

function useNeeds({ door, room, incidents, channels, projects }: ServerStatus): Need[] {
	const say = useSay();
	const needs: Need[] = [];
	if (!door) needs.push({ key: 'door', words: say('Hooks are not served yet.') });
	if (room?.isLow) needs.push({ key: 'room', words: say('The disk of the home is nearly full.') });
	for (const incident of incidents) {
		const { code, about, at, until, fix } = incident;
		if (until !== null) continue;
		needs.push({
			key: `${code} ${about} ${at}`,
			words: <AgentText>{say.field(incident, 'message')}</AgentText>,
			...(fix !== undefined && { mend: <Fix advice={say.field(incident, 'fix')} /> }),
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
	if (channels.length === 0) {
		needs.push({
			key: 'channels',
			isAdvice: true,
			words: (
				<Advice>
					{say('No one hears of a waiting call while no page is open. Set `notify.channels` in config.json.')}
				</Advice>
			),
		});
	}
	return needs;
}

function Fix({ advice }: { advice: string }) {
	const say = useSay();
	const command = useCommand(advice);
	if (command === null) {
		return (
			<span className="text-muted">
				<Advice>{advice}</Advice>
			</span>
		);
	}
	return <CopyButton label={say('Copy the command that mends it')} text={() => command} />;
}
