'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';

const ExportArchive = dynamic(() => import('./export-archive.tsx').then((module) => module.ExportArchive));

/** Opens the dialog that writes an archived feature as a file for people. */
export function ExportButton({ feature }: { feature: FeatureRecord }) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<Button size="small" onClick={() => setOpen(true)}>
				{say('Export')}
			</Button>
			{isOpen && <ExportArchive feature={feature} onClose={() => setOpen(false)} />}
		</>
	);
}
