'use client';
import Link from 'next/link';
import { mayAnywhere } from '#lib/hub/may.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { useHub } from '../../live/hub.tsx';
import { useLive } from '../../live/store.ts';
import { Advice, useProgram } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

/** What to do before the first session; it gives way by itself at the first event. */
export function EmptySessions() {
	const say = useSay();
	const isLive = useLive((state) => state.connection.state === 'live');
	const isHub = useHub();
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">{say('No sessions yet')}</h1>
			{isHub ? <NoMachines /> : <NoHooks />}
			<p role="status" className="mt-6 flex items-center gap-2">
				<span aria-hidden className="text-wait">
					◆
				</span>
				{isLive ? say('Waiting for the first event…') : say('Not connected to the server.')}
			</p>
		</div>
	);
}

function NoMachines() {
	const say = useSay();
	const mayAdd = useLive(({ me }) => mayAnywhere(me?.hub?.roles ?? [], 'edges'));
	return (
		<p className="mt-2 text-muted">
			{say('Sessions of the machines that have joined appear here, and those that they had before.')}{' '}
			{mayAdd ? (
				<Link href="/machines" className="text-accent underline">
					{say('Add a machine')}
				</Link>
			) : (
				say('An admin of a team adds its machines.')
			)}
		</p>
	);
}

function NoHooks() {
	const say = useSay();
	const program = useProgram();
	const home = useLive(({ me }) => me?.home);
	return (
		<>
			<p className="mt-2 text-muted">{say('Register the hooks in the project that your agent works in:')}</p>
			<pre className="mt-3 whitespace-pre-wrap rounded border border-line bg-raised p-3 font-mono text-mono [overflow-wrap:anywhere]">
				<code>{`${program} init --project DIR`}</code>
			</pre>
			<p className="mt-2 text-muted">
				<Advice>
					{say(
						'DIR is that project’s folder. Then start Claude Code there. No agent at hand? `signalbox demo` plays a recorded session.',
					)}
				</Advice>
			</p>
			{home && (
				<p className="mt-2 text-muted">
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
