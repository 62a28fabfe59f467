import { useEffect, useMemo, useState } from 'react';
import { archiveFigures } from '#lib/exports/archive-figures.ts';
import { decisionOf, outcomeName, rowName, type SessionStory } from '#lib/exports/archive-story.ts';
import { type OpenedArchive as Opened, readArchiveFile } from '#lib/exports/read-archive-file.ts';
import { useSay } from '../language/use-say.ts';
import { keptRecording } from '../replay/recording-reads.ts';
import { Replay } from '../replay/replay.tsx';
import { tapeSpans } from '../replay/use-replay.ts';
import { openedLater } from '../session-page/session-readings.tsx';
import { Alert, Skeleton } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ToneGlyph } from '../ui/tone.tsx';

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

export const loadReadings = () => Promise.all(openedLater.map((load) => load()));

/** An exported archive read from a local file: figures and recording, as far as the file is intact. */
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
				<h1 className="min-w-0 font-semibold text-page">
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
					<Alert className="w-full">
						{[say('It is wrong at {place}.', { place: wrong }), story && say('What was read until then is shown.')]
							.filter(Boolean)
							.join(' ')}
					</Alert>
				)}
				{story?.redacted && <p className="w-full text-muted">{say('What was said is left out.')}</p>}
			</div>
			<OpenedRecording opened={opened} />
		</div>
	);
}

/** The recording if it fits into memory, else the stories of its sessions. */
function OpenedRecording({ opened: { story, recordings } }: { opened: Opened }) {
	const reads = useMemo(() => keptRecording(recordings), [recordings]);
	const tape = useMemo(
		() => tapeSpans({ sessions: recordings.flatMap(({ outline }) => outline ?? []), failed: [] }),
		[recordings],
	);
	if (tape) return <Replay reads={reads} tape={tape} />;
	return story?.sessions.map((session) => <OpenedStory key={session.view.sessionId} session={session} />);
}

const ROWS = 300;

function OpenedStory({ session: { view, rows } }: { session: SessionStory }) {
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
						<ToneGlyph tone={row.tone} />
						<time dateTime={row.at} className="shrink-0 text-muted">
							{row.at.slice(11, 19)}
						</time>
						<span className="min-w-0 [overflow-wrap:anywhere]">
							<AgentText className="font-medium">{rowName(row)}</AgentText>{' '}
							<AgentText>{say.field(row, 'title')}</AgentText>
							{row.unverified && <span className="text-err"> {say('unverified')}</span>}
							{row.call && (
								<>
									{' '}
									<span className="text-muted">{outcomeName(row.call)}</span>{' '}
									<AgentText className="text-muted">{decisionOf(row.call)}</AgentText>
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
