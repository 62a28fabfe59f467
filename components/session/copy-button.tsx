'use client';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';

/** Copies a text, made at the moment of the click, and says that it did. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
	const [words, setWords] = useState(label);
	return (
		<Button
			size="small"
			onClick={() =>
				void navigator.clipboard.writeText(text()).then(
					() => setWords('Copied'),
					() => setWords('The browser did not allow it'),
				)
			}
		>
			<span role="status">{words}</span>
		</Button>
	);
}
