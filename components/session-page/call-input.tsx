import dynamic from 'next/dynamic';
import { editsOfCall } from '#lib/agents/file-edits.ts';
import { callKind } from '#lib/agents/recorded-event.ts';
import type { EventOf } from '#lib/contract/events/event.ts';
import { isJson, type Json } from '#lib/json/json.ts';
import { editorAddress } from '#lib/session/call-details.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Payload } from '../ui/text/payload.tsx';

const EditDiff = dynamic(() => import('../ui/text/edit-diff.tsx').then((module) => module.EditDiff));

/** What a call asked for, as an editor or a terminal shows it; the whole input is one click away. */
export function CallInput({ sessionId, event }: { sessionId: string; event: EventOf<'tool:call'> }) {
	const say = useSay();
	const input = isJson(event.input) ? event.input : {};
	const edits = editsOfCall(event).filter(({ pieces }) => pieces.length > 0);
	const command = callKind(event).startsWith('run-') ? textIn(input, 'command') : undefined;
	const plan = callKind(event) === 'show-plan' ? textIn(input, 'plan') : undefined;
	const isDocument = /\.(?:md|markdown)$/i.test(editsOfCall(event)[0]?.path ?? '');
	const document = plan ?? (isDocument ? textIn(input, 'content') : undefined);
	const isPlain = edits.length === 0 && command === undefined && document === undefined;
	return (
		<>
			{command !== undefined && (
				<section aria-label={say('Command')} className="flex flex-col gap-1">
					<div className="flex min-h-8 items-center gap-x-3">
						<AgentText className="min-w-0 text-muted">{textIn(input, 'description') ?? ''}</AgentText>
						<span className="ml-auto">
							<CopyButton label={say('Copy')} text={() => command} />
						</span>
					</div>
					<Payload sessionId={sessionId} value={command} />
				</section>
			)}
			{edits.map((edit, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the edits of one call never move, and may be of one file.
				<section key={at} aria-label={say('Change')} className="py-1">
					<EditDiff edit={edit} aside={<InEditor sessionId={sessionId} path={edit.path} />} />
				</section>
			))}
			{document !== undefined && (
				<section aria-label={plan === undefined ? say('Document') : say('Plan')} className="py-1">
					<Payload sessionId={sessionId} value={document} isReport />
				</section>
			)}
			<details open={isPlain} className="border-line border-t py-1">
				<summary className="flex min-h-8 pointer-coarse:min-h-10 items-center text-muted hover:text-text">
					{say('Input')}
				</summary>
				<Payload sessionId={sessionId} value={event.input} />
			</details>
		</>
	);
}

/** A way to a file of the project on this machine; of no other file, for an agent names it. */
function InEditor({ sessionId, path }: { sessionId: string; path: string }) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const folder = useSession(sessionId, ({ view }) => (view?.machine ? null : (view?.cwd ?? null)));
	const address = isLive && folder ? editorAddress(path, folder) : undefined;
	if (address === undefined) return null;
	return (
		<a href={address} className="inline-flex min-h-6 items-center text-accent hover:underline pointer-coarse:min-h-10">
			{say('Open in editor')}
		</a>
	);
}

function textIn(input: Json, name: string): string | undefined {
	const value = input[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}
