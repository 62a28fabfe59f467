import { useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from './button.tsx';

/** A command to be typed, as a block of its own. */
export function CommandBox({ children }: { children: string }) {
	return (
		<pre className="w-full whitespace-pre-wrap rounded border border-line bg-raised p-3 font-mono text-mono [overflow-wrap:anywhere]">
			<code>{children}</code>
		</pre>
	);
}

export function CopyButton({ label, text }: { label: string; text: () => string }) {
	const say = useSay();
	const [notice, setNotice] = useState<Plain | null>(null);
	const copy = () => navigator.clipboard.writeText(text()).then(() => setNotice('Copied'));
	return (
		<Button size="small" onClick={() => void copy().catch(() => setNotice('The browser did not allow it'))}>
			<span role="status">{notice === null ? label : say(notice)}</span>
		</Button>
	);
}
