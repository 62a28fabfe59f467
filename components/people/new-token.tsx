'use client';
import { useState } from 'react';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { MakeByName } from './make-by-name.tsx';

/** Makes a token for a tool, which reads what its owner may read; it is told once. */
export function NewToken({ onMade }: { onMade: () => void }) {
	const say = useSay();
	const now = useNow();
	const [made, setMade] = useState<{ token: string; until: string } | null>(null);

	async function make(name: string) {
		const answer = await callRoute('POST /api/hub/tokens', { body: { name } });
		if (!answer.ok) return answer.message;
		setMade(answer.data);
		onMade();
		return null;
	}

	return (
		<MakeByName
			open={say('Make a token for a tool')}
			make={say('Make the token')}
			label={say('What the tool is called')}
			most={80}
			onOpen={() => setMade(null)}
			onMake={make}
		>
			{made && (
				<div role="status" className="flex flex-wrap items-center gap-2">
					<code className="rounded border border-line bg-raised px-2 py-1 font-mono text-mono [overflow-wrap:anywhere]">
						{made.token}
					</code>
					<CopyButton label={say('Copy the token')} text={() => made.token} />
					<span className="text-muted">
						{say('It reads what you may read, until {time}. It is not shown again.', {
							time: clockOrDate(made.until, now, say.language),
						})}
					</span>
				</div>
			)}
		</MakeByName>
	);
}
