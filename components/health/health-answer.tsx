import type { ReactNode } from 'react';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { BarStrip } from '../decisions/ledger-figures.tsx';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Advice, useCommand } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

export function HealthAnswer({ status }: { status: ServerStatus }) {
	const say = useSay();
	const now = useNow();
	const { hooksPerMinute, hooksLastHour, hookTimes, room, incidents, waiting } = status;
	const needs = useNeeds(status);
	const last = incidents[0];
	const isWell = needs.every(({ isAdvice }) => isAdvice);
	return (
		<div className="flex flex-col gap-2">
			<p role="status" className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b pb-2 tabular-nums">
				<strong className={isWell ? 'text-ok' : 'text-warn'}>
					<span aria-hidden>{isWell ? '✓ ' : '▲ '}</span>
					{isWell
						? say('All well')
						: say('{count} {count:thing needs|things need} you', {
								count: needs.filter((need) => !need.isAdvice).length,
							})}
				</strong>
				<span className="flex items-baseline gap-2">
					{say('{count} {count:hook|hooks} in the last minute', { count: hooksPerMinute })}
					<span className="w-32">
						<BarStrip
							label={say('{count} {count:hook|hooks} in the last hour', {
								count: hooksLastHour.reduce((sum, count) => sum + count, 0),
							})}
							days={hooksLastHour.map((value, at) => ({
								day: `−${hooksLastHour.length - at} min`,
								value,
								words: String(value),
							}))}
							most={Math.max(1, ...hooksLastHour)}
							tone="run"
							className="h-4"
						/>
					</span>
				</span>
				{hookTimes && <span>{say('p50 {p50} ms · p95 {p95} ms', hookTimes)}</span>}
				{room && <span>{say('{size} free on disk', { size: byteSize(room.free, say.language) })}</span>}
				<span>
					{waiting === 0 ? say('no call waits') : say('{count} waiting {count:call|calls}', { count: waiting })}
				</span>
				<span>
					{say('last incident: {time}', {
						time: last === undefined ? say('none') : clockOrDate(last.at, now, say.language),
					})}
				</span>
			</p>
			{needs.length > 0 && (
				<ul aria-label={say('Needs you')} className="flex flex-col gap-1">
					{needs.map(({ key, isAdvice, words, mend }) => (
						<li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
							<span className={isAdvice ? 'text-muted' : 'text-warn'}>
								<span aria-hidden>{isAdvice ? '! ' : '▲ '}</span>
							</span>
							<span className="min-w-0 flex-1">{words}</span>
							{mend}
						</li>
					))}
				</ul>
			)}
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
