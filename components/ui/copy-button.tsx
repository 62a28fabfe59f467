import { useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from './button.tsx';

export function CopyButton({ label, text }: { label: string; text: () => string }) {
	const say = useSay();
	const [notice, setNotice] = useState<Plain | null>(null);
	return (
		<Button
			size="small"
			onClick={() =>
				void navigator.clipboard.writeText(text()).then(
					() => setNotice('Copied'),
					() => setNotice('The browser did not allow it'),
				)
			}
		>
			<span role="status">{notice === null ? label : say(notice)}</span>
		</Button>
	);
}
