'use client';
import { useLive } from '../live/store.ts';

/** What to do before the first session; it gives way by itself at the first event. */
export function EmptySessions() {
	const isLive = useLive((state) => state.connection.state === 'live');
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">No sessions yet</h1>
			<p className="mt-2 text-muted">Register the hooks in the project that your agent works in:</p>
			<pre className="mt-3 overflow-auto rounded border border-line bg-raised p-3 font-mono text-mono">
				<code>node dist/signalbox.js init --project DIR</code>
			</pre>
			<p className="mt-2 text-muted">
				or, with the command installed, <code className="font-mono text-mono">signalbox init</code> inside that project.
				Then start the agent there.
			</p>
			<p role="status" className="mt-6 flex items-center gap-2">
				<span aria-hidden className="text-wait">
					◆
				</span>
				{isLive ? 'Waiting for the first event…' : 'Not connected to the server yet.'}
			</p>
		</div>
	);
}
