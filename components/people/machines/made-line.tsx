'use client';
import { useState } from 'react';
import type { MadeCode } from '#lib/contract/hub/edges.ts';
import { endTime } from '#lib/time/clock.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useNow } from '../../live/now.ts';
import { useAnswer } from '../../live/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ComeWords } from './come-words.tsx';

interface MadeLineProps {
	code: MadeCode;
	uses: number;
	onClose: () => void;
}

/** Whoever has run the line wants to see it come. */
const AGAIN_MS = 3000;
const askAll = () => callRoute('GET /api/hub/edges');

const word = (text: string) => <code className="font-mono text-mono">{text}</code>;

/** The line to run, and who has come by it. */
export function MadeLine({ code: { line, until }, uses, onClose }: MadeLineProps) {
	const say = useSay();
	const now = useNow();
	const edges = useAnswer(askAll, AGAIN_MS).data?.edges;
	const [known, setKnown] = useState<ReadonlySet<number> | null>(null);
	if (edges && known === null) setKnown(new Set(edges.map(({ id }) => id)));
	const come = edges?.filter(({ id }) => known?.has(id) === false) ?? [];
	const time = endTime(until, now, say.language);
	return (
		<div className="flex flex-col gap-3 p-4">
			<p>{say('Run this on the machine, in the folder of the project to be shared:')}</p>
			<pre className="whitespace-pre-wrap rounded border border-line bg-raised p-3 font-mono text-mono [overflow-wrap:anywhere]">
				<code>{line}</code>
			</pre>
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<CopyButton label={say('Copy the line')} text={() => line} />
				<span className="text-muted">
					{uses === 1
						? say('Good once, until {time}. It is not shown again.', { time })
						: say('Good for {uses} machines, until {time}. It is not shown again.', { uses, time })}
				</span>
			</div>
			<p className="text-muted">
				<Phrase
					of="With {all} it shares every session of the machine, with {shape} only what kind of thing happened when. The line says what is shared before anything is sent; then start the server anew."
					with={{ all: word('--all'), shape: word('--shape') }}
				/>
			</p>
			<p role="status" className="flex flex-wrap items-center gap-x-2">
				<ComeWords edges={come} />
			</p>
			<div className="flex justify-end">
				<Button onClick={onClose}>{say('Close')}</Button>
			</div>
		</div>
	);
}
