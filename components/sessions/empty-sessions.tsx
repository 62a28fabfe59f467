'use client';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useHub } from '../live/hub.tsx';
import { useLive } from '../live/store.ts';
import { Advice, useProgram } from '../text/advice.tsx';
import { AgentText } from '../text/agent-text.tsx';

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
	return (
		<p className="mt-2 text-muted">
			<Advice>
				{say(
					'`signalbox code` makes the line with which a machine joins this hub. Sessions that it shares appear here, and those that it has had.',
				)}
			</Advice>
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
