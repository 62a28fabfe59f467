'use client';
import { useState } from 'react';
import { outcomeName, rowName, type SessionStory, saidOfCall } from '#lib/exports/archive-story.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';

const ROWS = 300;

/** The story of a session that is too large to be played in the page. */
export function OpenedStory({ session: { view, rows } }: { session: SessionStory }) {
	const say = useSay();
	const [most, setMost] = useState(ROWS);
	const shown = rows.filter((row) => row.shown);
	return (
		<section aria-label={view.sessionId} className="p-4">
			<h2 className="border-line border-b pb-1">
				<AgentText className="font-mono text-mono">{view.sessionId}</AgentText>{' '}
				<span className="text-muted">{shown.length}</span>
			</h2>
			<ol>
				{shown.slice(0, most).map((row) => (
					<li key={row.key} className="flex gap-2 border-line/60 border-b py-0.5">
						<span aria-hidden className={toneText[row.tone]}>
							{toneGlyph[row.tone]}
						</span>
						<time dateTime={row.at} className="shrink-0 text-muted">
							{row.at.slice(11, 19)}
						</time>
						<span className="min-w-0 [overflow-wrap:anywhere]">
							<AgentText className="font-medium">{rowName(row)}</AgentText> <AgentText>{row.title}</AgentText>
							{row.unverified && <span className="text-err"> {say('unverified')}</span>}
							{row.call && (
								<>
									{' '}
									<span className="text-muted">{outcomeName(row.call)}</span>{' '}
									<AgentText className="text-muted">{saidOfCall(row.call)}</AgentText>
								</>
							)}
						</span>
					</li>
				))}
			</ol>
			{shown.length > most && (
				<Button size="small" className="mt-2" onClick={() => setMost(most * 3)}>
					{say('Show more')}
				</Button>
			)}
		</section>
	);
}
