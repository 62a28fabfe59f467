import { type ReactNode, useEffect, useRef } from 'react';

/** A form that was just opened: focuses its text field, and Esc closes it. */
export function OpenedForm({ onCancel, children }: { onCancel: () => void; children: ReactNode }) {
	const box = useRef<HTMLDivElement>(null);
	const cancel = useRef(onCancel);
	cancel.current = onCancel;
	useEffect(() => {
		const form = box.current;
		const onKey = (event: KeyboardEvent) => {
			if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
			// The next Esc closes what surrounds the form.
			event.preventDefault();
			event.stopPropagation();
			cancel.current();
		};
		form?.querySelector<HTMLElement>('textarea, input[required]')?.focus();
		form?.addEventListener('keydown', onKey);
		return () => form?.removeEventListener('keydown', onKey);
	}, []);
	return <div ref={box}>{children}</div>;
}
