import { editsOfCall } from '#lib/agents/file-edits.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { useSay } from '../../language/use-say.ts';
import { useRowEvents } from '../../row/row-hooks.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { EditDiff } from '../../ui/text/edit-diff.tsx';

/** The changes of an edit below its line; long ones scroll within the reserved height. */
export function OpenChange({ sessionId, row }: { sessionId: string; row: Row }) {
	const say = useSay();
	const rowEvents = useRowEvents(sessionId, row.key, row);
	const edits = (rowEvents?.events ?? []).flatMap((event) =>
		isKnown(event) && event.type === 'tool:call' ? editsOfCall(event) : [],
	);
	return (
		<section aria-label={say('Change')} className="min-h-0 flex-1 overflow-y-auto px-4 pb-2 md:pl-24">
			<Alert>{rowEvents?.error}</Alert>
			{edits.map((edit, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the edits of one call keep their order, and several may be of one file.
				<EditDiff key={index} edit={edit} hasHead={edits.length > 1} />
			))}
		</section>
	);
}
