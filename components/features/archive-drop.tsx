'use client';
import dynamic from 'next/dynamic';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { useReplayParams } from '../replay/replay-params.ts';
import { usePreload } from '../ui/use-preload.ts';

const loadOpened = () => import('./opened-archive.tsx');
const OpenedArchive = dynamic(() => loadOpened().then((module) => module.OpenedArchive));
/** Preloaded, so that a file can also be opened without a server. */
const openedLater = [async () => (await loadOpened()).loadReadings()];

const holdsFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** Opens an exported archive dropped on the page, read-only. The file is not uploaded. */
export function ArchiveDrop({ children }: { children: ReactNode }) {
	const say = useSay();
	const [opened, setOpened] = useState<{ file: File; address: string } | null>(null);
	const [, setReplay] = useReplayParams();
	usePreload(openedLater);
	const open = (file: File | undefined) => file && setOpened({ file, address: opened?.address ?? location.href });
	async function close() {
		setOpened(null);
		// Clear the player's URL parameters, after its pending update, before the former address is restored.
		await setReplay(null);
		history.replaceState(null, '', opened?.address);
	}
	function acceptFile(event: DragEvent) {
		if (!holdsFile(event)) return;
		event.preventDefault();
		open(event.dataTransfer.files[0]);
	}
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same by keyboard.
		<div className="min-h-full" onDragOver={(event) => holdsFile(event) && event.preventDefault()} onDrop={acceptFile}>
			{opened ? (
				<OpenedArchive
					key={`${opened.file.name} ${opened.file.lastModified}`}
					file={opened.file}
					onClose={() => void close()}
				/>
			) : (
				children
			)}
			{!opened && (
				<label className="mx-4 mb-4 flex w-fit cursor-pointer flex-wrap items-center gap-x-1 text-muted text-small focus-within:outline-2 pointer-coarse:min-h-10">
					<input type="file" accept=".gz" className="sr-only" onChange={(event) => open(event.target.files?.[0])} />
					{say('Open an exported archive: drop the file here, or')}
					<span className="text-accent hover:underline">{say('choose it')}</span>
				</label>
			)}
		</div>
	);
}
