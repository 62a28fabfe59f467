import { callKind } from '#lib/agents/recorded-event.ts';
import type { EventOf } from '#lib/contract/events/event.ts';
import { exitCodeOf, printedBy } from '#lib/session/call-details.ts';
import { useSay } from '../language/use-say.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Payload } from '../ui/text/payload.tsx';

/** What a call gave back: of a command what it printed, in its colours, and its exit code. */
export function CallOutput({ sessionId, event }: { sessionId: string; event: EventOf<'tool:result' | 'tool:error'> }) {
	const say = useSay();
	const isError = event.type === 'tool:error';
	const value = isError ? event.error : event.response;
	const isTerminal = callKind(event).startsWith('run-');
	if (value === undefined) return null;
	const printed = isTerminal ? printedBy(value) : undefined;
	const code = isTerminal ? exitCodeOf(value) : undefined;
	const text = printed ?? value;
	return (
		<section className="border-line border-t py-1">
			<div className="flex min-h-8 items-center gap-x-3">
				<h3 className="text-muted">{isError ? say('Error') : say('Output')}</h3>
				{code !== undefined && (
					<span className={code === 0 ? 'text-muted' : 'text-err'}>
						{say('exit code {code}', { code: String(code) })}
					</span>
				)}
				{typeof text === 'string' && text !== '' && (
					<span className="ml-auto">
						<CopyButton label={say('Copy')} text={() => text} />
					</span>
				)}
			</div>
			{text === '' ? (
				<p className="text-muted">{say('It printed nothing.')}</p>
			) : (
				<Payload sessionId={sessionId} value={text} isTerminal={isTerminal} />
			)}
		</section>
	);
}
