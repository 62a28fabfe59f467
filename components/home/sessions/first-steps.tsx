import type { ReactNode } from 'react';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { asTyped } from '#lib/text/as-typed.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';
import { CommandBox, CopyButton } from '../../ui/copy-button.tsx';
import { Advice, useProgram } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const AGAIN_MS = 10_000;

export function FirstSteps() {
	const say = useSay();
	const program = useProgram();
	const home = useLive(({ me }) => me?.home);
	const { data: rules } = useRoute('GET /api/rules', {}, { everyMs: AGAIN_MS, schema: RuleList });
	const { data: status } = useRoute('GET /api/status', {}, { everyMs: AGAIN_MS });
	const judging = rules?.gates.filter(({ enabled }) => enabled === true).length ?? 0;
	const projects = status?.projects ?? [];
	const [first] = projects;
	const channels = status?.channels.length ?? 0;
	const init = `${program} init --project DIR`;
	return (
		<ol className="mt-4 flex flex-col border-line border-t">
			<Step
				title={say('Watch')}
				isDone={first !== undefined}
				state={
					first === undefined
						? say('no session was seen yet')
						: projects.length === 1
							? say('{project} is registered; restart your agent there', { project: first.project })
							: say('{count} projects are registered; restart your agent in one of them', { count: projects.length })
				}
				action={
					<>
						<CopyButton label={say('Copy command')} text={() => init} />
						<CopyButton
							label={say('Copy the command of the demo')}
							text={() => asTyped('`signalbox demo`', program).slice(1, -1)}
						/>
					</>
				}
			>
				<p>{say('Register the hooks in the project that your agent works in:')}</p>
				<CommandBox>{init}</CommandBox>
				<p>
					<Advice>
						{say(
							'DIR is that project’s folder. Then start your agent there. No agent at hand? `signalbox demo` plays recorded sessions.',
						)}
					</Advice>
				</p>
				{home && (
					<p>
						<Phrase
							of="This server reads the home {home}. Hooks that run with another {variable} write elsewhere."
							with={{
								home: <AgentText className="font-mono text-mono text-text">{home}</AgentText>,
								variable: <code className="font-mono text-mono">OVERTONE_HOME</code>,
							}}
						/>
					</p>
				)}
			</Step>
			<Step
				title={say('Judge')}
				isDone={judging > 0}
				state={rules ? say('{count} {count:rule is|rules are} on', { count: judging }) : ''}
				action={<TextLink href="/rules">{say('Choose rules')}</TextLink>}
			>
				<p>{say('Rules say which calls are denied, and which of those wait for you.')}</p>
			</Step>
			<Step
				title={say('Be told')}
				isDone={channels > 0}
				state={
					status
						? channels > 0
							? say('{count} {count:channel|channels}', { count: channels })
							: say('only while a page is open')
						: ''
				}
				action={<TextLink href="/status">{say('Set up notifications')}</TextLink>}
			>
				<p>{say('A call that waits for you can reach your phone or a chat.')}</p>
			</Step>
		</ol>
	);
}

interface StepProps {
	title: string;
	isDone: boolean;
	state: string;
	action: ReactNode;
	children: ReactNode;
}

function Step({ title, isDone, state, action, children }: StepProps) {
	return (
		<li className="border-line border-b py-4">
			<div className="flex flex-wrap items-center gap-x-3">
				<h2 className="font-semibold">{title}</h2>
				<p role="status" className={`[overflow-wrap:anywhere] ${isDone ? 'text-ok' : 'text-wait'}`}>
					{state !== '' && <span aria-hidden>{isDone ? '✓ ' : '○ '}</span>}
					{state}
				</p>
			</div>
			<div className="mt-1 text-muted">{children}</div>
			<div className="mt-3 flex flex-wrap gap-2">{action}</div>
		</li>
	);
}
