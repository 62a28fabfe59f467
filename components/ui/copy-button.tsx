import { useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from './button.tsx';

/** A command as a block, with a copy button. */
export function CommandBox({ children }: { children: string }) {
	const say = useSay();
	return (
		<div className="flex w-full items-center gap-3 rounded border border-line bg-raised px-3 py-1.5">
			<pre className="min-w-0 flex-1 whitespace-pre-wrap font-mono text-mono text-text [overflow-wrap:anywhere]">
				<code>{children}</code>
			</pre>
			<CopyButton label={say('Copy')} text={() => children} />
		</div>
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
