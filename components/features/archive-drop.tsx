'use client';
import dynamic from 'next/dynamic';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { usePreload } from '../ui/use-preload.ts';

const loadOpened = () => import('./opened-archive.tsx');
const OpenedArchive = dynamic(() => loadOpened().then((module) => module.OpenedArchive));
/** A file is opened without a server, too. */
const openedLater = [loadOpened];

const holdsFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** Opens an exported archive that is dropped here, read-only; nothing of it leaves the browser. */
export function ArchiveDrop({ children }: { children: ReactNode }) {
	const say = useSay();
	const [file, setFile] = useState<File | null>(null);
	usePreload(openedLater);
	function take(event: DragEvent) {
		if (!holdsFile(event)) return;
		event.preventDefault();
		setFile(event.dataTransfer.files[0] ?? null);
	}
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same by keyboard.
		<div className="min-h-full" onDragOver={(event) => holdsFile(event) && event.preventDefault()} onDrop={take}>
			{file ? (
				<OpenedArchive key={`${file.name} ${file.lastModified}`} file={file} onClose={() => setFile(null)} />
			) : (
				children
			)}
			{!file && (
				<label className="m-4 inline-flex min-h-6 cursor-pointer items-center gap-2 text-muted focus-within:outline-2 hover:text-text">
					<input
						type="file"
						accept=".gz"
						className="sr-only"
						onChange={(event) => setFile(event.target.files?.[0] ?? null)}
					/>
					{say('Open an exported archive: drop the file here, or choose it')}
				</label>
			)}
		</div>
	);
}
