import { useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from './button.tsx';

/** A command as a block, with a copy button. */
export function CommandBox({ children }: { children: string }) {
	const say = useSay();
	return (
		<div className="flex w-full gap-3 rounded border border-line bg-raised px-3 py-1.5 max-sm:flex-col sm:items-center">
			<pre className="min-w-0 flex-1 whitespace-pre-wrap font-mono text-mono text-text [overflow-wrap:anywhere]">
				{children.split(/( )/).map((part, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the words of a command keep their order.
					<span key={index} className={part === ' ' ? undefined : 'inline-block'}>
						{part}
					</span>
				))}
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
