'use client';
import { useState } from 'react';
import type { EdgeState, HubEdge } from '#lib/contract/hub/edges.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFoot } from '../../ui/dialog/dialog-foot.tsx';

type Action = 'admit' | 'accept' | 'revoke';

const words = {
	admit: { name: 'Take it in…', act: 'Take it in' },
	accept: { name: 'Take it back…', act: 'Take it back' },
	revoke: { name: 'Revoke…', act: 'Revoke it' },
} as const satisfies Record<Action, { name: Plain; act: Plain }>;

/** What comes of it. */
function outcomeOf(action: Action): Plain {
	if (action === 'revoke')
		return 'The hub ends its connection within seconds and does not let it in again. What it has sent stays here, and the machine works on alone.';
	if (action === 'admit')
		return 'The hub takes what the machine shares, from its beginning, and shows it to whoever sees its team.';
	return 'The hub takes what the machine sends from now on, and what it has missed. Should a copy still run, the two meet and are quarantined again.';
}

/** What an admin can do about a machine that stands so. */
const offered: Readonly<Record<Exclude<EdgeState, 'revoked'>, readonly Action[]>> = {
	pending: ['admit', 'revoke'],
	quarantined: ['accept', 'revoke'],
	joined: ['revoke'],
};

/** Taking a machine in or back, or sending it away: first what comes of it, then the act. */
export function MachineActions({ edge: { id, state }, onChange }: { edge: HubEdge; onChange: () => void }) {
	const say = useSay();
	const [asked, setAsked] = useState<Action | null>(null);
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);

	function ask(action: Action | null) {
		setRefusal(null);
		setAsked(action);
	}

	async function act(action: Action) {
		setBusy(true);
		const body = { action: action === 'revoke' ? action : ('accept' as const) };
		const answer = await callRoute('POST /api/hub/edges/:id', { params: { id: String(id) }, body });
		setBusy(false);
		if (!answer.ok) return setRefusal(answer.message);
		setAsked(null);
		onChange();
	}

	if (state === 'revoked')
		return (
			<p className="border-line border-t p-4">
				{say('It was sent away for good: run `signalbox leave` on it, and let it join with a new code.')}
			</p>
		);
	if (asked === null) {
		return (
			<div className="flex flex-wrap justify-end gap-2 border-line border-t p-4">
				{offered[state].map((action) => (
					<Button key={action} onClick={() => ask(action)}>
						{say(words[action].name)}
					</Button>
				))}
			</div>
		);
	}
	return (
		<div className="flex flex-col gap-3 border-line border-t p-4">
			<p role="status">{say(outcomeOf(asked))}</p>
			<DialogFoot refusal={refusal} onClose={() => ask(null)}>
				<Button
					kind={asked === 'revoke' ? 'danger' : 'primary'}
					disabled={isBusy}
					autoFocus
					onClick={() => void act(asked)}
				>
					{say(words[asked].act)}
				</Button>
			</DialogFoot>
		</div>
	);
}
