'use client';
import { useState } from 'react';
import type { GrantRecord, GrantSource } from '#lib/contract/approvals/grants.ts';
import { mayBeGranted } from '#lib/grants/covers.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayAct } from '../../live/use-may-act.ts';
import { Button } from '../../ui/button.tsx';
import { OpenedForm } from '../../ui/opened-form.tsx';
import { GrantForm } from './grant-form.tsx';
import { MadeGrant } from './made-grant.tsx';

interface AllowNextTryProps {
	/** The denied call. */
	source: GrantSource;
	/** Of gates that cannot know a retry nothing is offered. */
	denials: readonly { noGrant?: true }[];
	/** How the denial was printed: after `stop` the agent does not try again by itself. */
	form?: 'stop' | 'deny' | undefined;
	/** The session is over. */
	isOver?: boolean;
	/** One that was made for this denial already. */
	grant?: GrantRecord | undefined;
	onMade?: () => void;
}

/** The way from a denial that nobody can approve any more to a grant for the next try. */
export function AllowNextTry({ source, denials, form, isOver = false, grant, onMade }: AllowNextTryProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const [made, setMade] = useState<GrantRecord | null>(null);
	// For what nobody waits for any more a grant is made at the machine.
	const mayDecide = useMayAct();
	if (!mayDecide || !mayBeGranted(denials)) return null;
	const standing = made ?? grant;
	if (standing) return <MadeGrant grant={standing} next={nextStep(standing.scope, form, isOver)} />;
	if (!isOpen) {
		return (
			<Button size="small" className="self-start" onClick={() => setOpen(true)}>
				{say('Allow the next try…')}
			</Button>
		);
	}
	return (
		<section aria-label={say('Allow the next try')} className="rounded border border-edge p-3">
			<OpenedForm onCancel={() => setOpen(false)}>
				<GrantForm
					source={source}
					onDone={(grant) => {
						setMade(grant);
						onMade?.();
					}}
					onCancel={() => setOpen(false)}
				/>
			</OpenedForm>
		</section>
	);
}

/** What must happen for a grant to be used. */
function nextStep(scope: GrantRecord['scope'], form: AllowNextTryProps['form'], isOver: boolean): Plain {
	if (isOver && scope === 'project') return 'The session has ended: the next one may try again.';
	if (isOver) return 'The session has ended: resume it to try again.';
	return form === 'stop' ? 'The denial ended the agent’s turn: prompt it again.' : 'The agent may try again.';
}
