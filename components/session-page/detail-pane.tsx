'use client';
import dynamic from 'next/dynamic';
import { useSay } from '../language/use-say.ts';
import { useSessionParams } from '../row/search-params.ts';
import { Button } from '../ui/button.tsx';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import { NoRow } from './no-row.tsx';
import { RowDetail } from './row-detail.tsx';

const Dialog = dynamic(() => import('../ui/dialog/dialog.tsx').then((module) => module.Dialog));

/** The selected row beside the story, or as a sheet where there is no room. */
export function DetailPane({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [{ row }, setParams] = useSessionParams();
	const narrow = useNarrow();

	function close() {
		if (row === null) return;
		void setParams({ row: null });
		document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`)?.focus();
	}
	useShortcut('close', close, row !== null && !narrow);

	if (narrow) {
		if (row === null) return null;
		return (
			<Dialog title={say('Detail')} side="bottom" open onOpenChange={(open) => !open && close()}>
				<RowDetail sessionId={sessionId} rowKey={row} />
			</Dialog>
		);
	}
	return (
		<section
			aria-label={say('Detail')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
			tabIndex={0}
			className="relative w-[26rem] shrink-0 overflow-y-auto border-line border-l xl:w-[30rem]"
		>
			{row !== null && (
				<Button kind="quiet" size="small" className="absolute top-3 right-3" onClick={close}>
					{say('Close')}
				</Button>
			)}
			{row !== null ? <RowDetail sessionId={sessionId} rowKey={row} /> : <NoRow sessionId={sessionId} />}
		</section>
	);
}
