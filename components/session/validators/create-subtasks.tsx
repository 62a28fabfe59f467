'use client';
import { useState } from 'react';
import { printable } from '#lib/text/printable.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useSessionSource } from '../../live/session-source.ts';
import { useMayAct } from '../../live/use-may-act.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

interface CreateSubtasksProps {
	sessionId: string;
	assessmentId: string;
	subtasks: readonly string[];
}

/** One click puts the suggestions into the tasks.md of the session's feature; without one, or without the right, copy. */
export function CreateSubtasks({ sessionId, assessmentId, subtasks }: CreateSubtasksProps) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const mayDecide = useMayAct();
	const [isBusy, setBusy] = useState(false);
	const [notice, setNotice] = useState<{ text: string; isBad: boolean } | null>(null);

	async function create() {
		setBusy(true);
		const answer = await callRoute('POST /api/sessions/:id/subtasks', {
			params: { id: sessionId },
			body: { assessmentId },
		});
		setBusy(false);
		if (!answer.ok) return setNotice({ text: say.known(answer.message), isBad: true });
		const { feature, added } = answer.data.created;
		const count = added.length;
		const text =
			count === 0
				? say('They stand in {feature} already.', { feature })
				: say('{count} {count:task|tasks} added to {feature}.', { count, feature });
		setNotice({ text, isBad: false });
	}

	return (
		<div className="flex flex-wrap items-center gap-2 pt-1">
			{isLive && mayDecide && (
				<Button size="small" disabled={isBusy} onClick={() => void create()}>
					{say('Create these subtasks')}
				</Button>
			)}
			<CopyButton
				label={say('Copy as tasks')}
				text={() => subtasks.map((subtask) => `- [ ] ${printable(subtask, 300)}\n`).join('')}
			/>
			<span role="status" className={notice?.isBad ? 'text-warn' : 'text-ok'}>
				{notice && (
					<>
						<span aria-hidden>{notice.isBad ? '▲ ' : '✓ '}</span>
						<AgentText>{notice.text}</AgentText>
					</>
				)}
			</span>
		</div>
	);
}
