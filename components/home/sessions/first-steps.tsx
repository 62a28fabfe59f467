import type { ReactNode } from 'react';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { useConnected, useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';
import { CommandBox, CopyButton } from '../../ui/copy-button.tsx';
import { useProgram } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const REFRESH_MS = 10_000;

export function FirstSteps() {
	const say = useSay();
	const program = useProgram();
	const isLive = useConnected();
	const home = useLive(({ me }) => me?.home);
	const { data: rules } = useRoute('GET /api/rules', {}, { everyMs: REFRESH_MS, schema: RuleList });
	const { data: status } = useRoute('GET /api/status', {}, { everyMs: REFRESH_MS });
	const rulesOn = rules?.gates.filter(({ enabled }) => enabled !== false).length ?? 0;
	const projects = status?.projects ?? [];
	const [firstProject] = projects;
	const channels = status?.channels.length ?? 0;
	return (
		<>
			<ol className="mt-4 border-line border-t">
				<Step
					nth={1}
					title={say('Watch an agent')}
					isDone={firstProject !== undefined}
					state={
						firstProject === undefined
							? ''
							: projects.length === 1
								? say('{project} is registered; restart your agent there', { project: firstProject.project })
								: say('{count} projects are registered; restart your agent in one of them', { count: projects.length })
					}
				>
					<p>{say('Register the hooks in the folder of a project, then start your agent there.')}</p>
					<CommandBox>{`${program} init --project DIR`}</CommandBox>
					<p role="status" className="flex items-center gap-2 text-text">
						<span aria-hidden className="size-2 animate-pulse rounded-full bg-run" />
						{isLive ? say('Waiting for the first event…') : say('Not connected to the server.')}
					</p>
					<p className="flex flex-wrap items-center gap-x-3 gap-y-1">
						{say('No agent at hand? The demo plays recorded sessions.')}
						<CopyButton label={say('Copy the demo command')} text={() => `${program} demo`} />
					</p>
				</Step>
				<Step
					nth={2}
					title={say('Judge its calls')}
					isDone={rulesOn > 0}
					state={rules ? say('{count} {count:rule is|rules are} on', { count: rulesOn }) : ''}
				>
					<p>{say('Rules say which calls are denied, and which of those wait for you.')}</p>
					<TextLink href="/rules">{say('Choose rules')}</TextLink>
				</Step>
				<Step
					nth={3}
					title={say('Be notified')}
					isDone={channels > 0}
					state={
						status
							? channels > 0
								? say('{count} {count:channel|channels}', { count: channels })
								: say('only while a page is open')
							: ''
					}
				>
					<p>{say('A call that waits for you can reach your phone or a chat.')}</p>
					<TextLink href="/status">{say('Set up notifications')}</TextLink>
				</Step>
			</ol>
			{home && (
				<p className="mt-4 text-muted">
					<Phrase
						of="This server reads the home {home}. Hooks that run with another {variable} write elsewhere."
						with={{
							home: <AgentText className="font-mono text-mono text-text">{home}</AgentText>,
							variable: <code className="font-mono text-mono">OVERTONE_HOME</code>,
						}}
					/>
				</p>
			)}
		</>
	);
}

interface StepProps {
	nth: number;
	title: string;
	isDone: boolean;
	state: string;
	children: ReactNode;
}

function Step({ nth, title, isDone, state, children }: StepProps) {
	return (
		<li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2 border-line border-b py-4">
			<span aria-hidden className={`font-semibold ${nth > 1 ? 'text-muted' : ''}`}>
				{nth}
			</span>
			<div className="flex flex-wrap items-center justify-between gap-x-3">
				<h2 className={`font-semibold ${nth > 1 ? 'text-muted' : 'text-title'}`}>{title}</h2>
				<p role="status" className={`[overflow-wrap:anywhere] ${isDone ? 'text-ok' : 'text-muted'}`}>
					{state !== '' && <span aria-hidden>{isDone ? '✓ ' : '○ '}</span>}
					{state}
				</p>
			</div>
			<div className="col-start-2 mt-1 flex flex-col items-start gap-2 text-muted">{children}</div>
		</li>
	);
}
