'use client';
import { useEffect, useMemo, useState } from 'react';
import { archiveFigures } from '#lib/exports/archive-figures.ts';
import { type OpenedArchive as Opened, readArchiveFile } from '#lib/exports/read-archive-file.ts';
import { useSay } from '../language/use-say.ts';
import { keptRecording } from '../replay/recording-reads.ts';
import { Replay } from '../replay/replay.tsx';
import { tapeOf } from '../replay/tape.ts';
import { openedLater } from '../session-page/session-readings.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { OpenedStory } from './opened-story.tsx';

async function digest(bytes: Uint8Array): Promise<string> {
	const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
	return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function* unpacked(file: File): AsyncGenerator<Uint8Array> {
	const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		yield value;
	}
}

/** Fetches all that its recording is read with, while there is a server to fetch it from. */
export const loadReadings = () => Promise.all(openedLater.map((load) => load()));

/** An exported archive from a file of this machine, as far as it goes: its figures, and its recording, which plays. */
export function OpenedArchive({ file, onClose }: { file: File; onClose: () => void }) {
	const say = useSay();
	const [opened, setOpened] = useState<Opened | null>(null);
	useEffect(() => {
		let current = true;
		void readArchiveFile(unpacked(file), digest).then((found) => current && setOpened(found));
		return () => {
			current = false;
		};
	}, [file]);
	if (!opened) return <Skeleton label={say('The file is being read')} />;
	const { story, wrong } = opened;
	return (
		<div className="flex flex-col xl:h-full">
			<div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2">
				<h1 className="min-w-0 font-semibold text-title">
					<AgentText>{story?.manifest.feature ?? file.name}</AgentText>
				</h1>
				<span className="text-muted">{say('from a file; read only')}</span>
				{story && (
					<dl className="flex flex-wrap gap-x-4 gap-y-1">
						{archiveFigures(story).map(([name, value]) => (
							<div key={name} className="flex gap-1">
								<dt className="text-muted">{name}</dt>
								<dd>
									<AgentText>{value}</AgentText>
								</dd>
							</div>
						))}
					</dl>
				)}
				<Button size="small" className="ml-auto" onClick={onClose}>
					{say('Close')}
				</Button>
				{wrong !== null && (
					<p role="alert" className="w-full text-warn">
						{say('It is wrong at {place}.', { place: wrong })}
						{story && ` ${say('What was read until then is shown.')}`}
					</p>
				)}
				{story?.redacted && <p className="w-full text-muted">{say('What was said is left out.')}</p>}
			</div>
			<OpenedRecording opened={opened} />
		</div>
	);
}

/** The recording where it fits into memory, else the stories of its sessions. */
function OpenedRecording({ opened: { story, recordings } }: { opened: Opened }) {
	const reads = useMemo(() => keptRecording(recordings), [recordings]);
	const tape = useMemo(
		() => tapeOf({ sessions: recordings.flatMap(({ outline }) => outline ?? []), failed: [] }),
		[recordings],
	);
	if (tape) return <Replay reads={reads} tape={tape} />;
	return story?.sessions.map((session) => <OpenedStory key={session.view.sessionId} session={session} />);
}
