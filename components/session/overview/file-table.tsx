'use client';
import { useState } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { filesTouched } from '#lib/overview/overview.ts';
import { useSay } from '../../language/use-say.ts';
import { Button } from '../../ui/button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { OverviewSection } from './overview-section.tsx';

const SHOWN_AT_FIRST = 12;

/** The files that calls wrote, with how many lines came and went. */
export function FileTable({ view }: { view: SessionView }) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const files = filesTouched(view);
	if (files.length === 0) return null;
	const shown = isOpen ? files : files.slice(0, SHOWN_AT_FIRST);
	const { moreFiles = 0 } = view.work ?? {};
	return (
		<OverviewSection
			title={say('Files written')}
			note={say('{count} {count:file|files}', { count: files.length + moreFiles })}
		>
			<ul>
				{shown.map(({ path, edits, added, removed, isMore }) => (
					<li key={path} className="flex min-w-0 items-center gap-3">
						<AgentText className="min-w-0 flex-1 truncate font-mono text-mono">{path}</AgentText>
						<span className="whitespace-nowrap text-muted">{say('{count} {count:edit|edits}', { count: edits })}</span>
						<span className="w-24 whitespace-nowrap text-right">
							<span className="text-ok">+{added}</span> <span className="text-err">−{removed}</span>
							{isMore && <span className="text-muted">{say(' and more')}</span>}
						</span>
					</li>
				))}
			</ul>
			{files.length > shown.length && (
				<Button size="small" className="mt-1" onClick={() => setOpen(true)}>
					{say('Show all {count}', { count: files.length })}
				</Button>
			)}
		</OverviewSection>
	);
}
