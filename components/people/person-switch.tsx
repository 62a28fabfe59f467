'use client';
import { useState } from 'react';
import type { PersonLine } from '#lib/contract/hub/hub-people.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { DialogFoot } from '../ui/dialog/dialog-foot.tsx';
import type { usePersonChange } from './use-person-change.ts';

interface PersonSwitchProps {
	person: PersonLine;
	change: ReturnType<typeof usePersonChange>;
}

/** Switches a person off, after saying what comes of it, or on again. */
export function PersonSwitch({ person: { name, disabled }, change }: PersonSwitchProps) {
	const say = useSay();
	const [isAsked, setAsked] = useState(false);
	if (disabled || !isAsked) {
		return (
			<div className="flex justify-end border-line border-t p-4">
				<Button disabled={change.isBusy} onClick={() => (disabled ? void change.switchTo('enable') : setAsked(true))}>
					{disabled ? say('Switch on again') : say('Switch off…')}
				</Button>
			</div>
		);
	}
	return (
		<div className="flex flex-col gap-3 border-line border-t p-4">
			<p role="status">
				{say(
					'Every sign-in and token of {name} ends at once, everywhere, and none can be made. What was decided stands, and the roles stay for when the person is switched on again.',
					{ name },
				)}
			</p>
			<DialogFoot refusal={null} onClose={() => setAsked(false)}>
				<Button
					kind="danger"
					disabled={change.isBusy}
					autoFocus
					onClick={() => void change.switchTo('disable').then(() => setAsked(false))}
				>
					{say('Switch off')}
				</Button>
			</DialogFoot>
		</div>
	);
}
