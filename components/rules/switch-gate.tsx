import { useState } from 'react';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { useSay } from '../language/use-say.ts';
import { ChangedVerdicts } from './rejudge/changed-verdicts.tsx';
import { useRejudge } from './rejudge/use-rejudge.ts';
import { WriteSettings } from './rejudge/write-settings.tsx';

const DAYS_MS = 30 * 24 * 3_600_000;

interface SwitchGateProps {
	gate: RuleList['gates'][number];
	onWritten: () => void;
	onClose: () => void;
}

/** Switches a gate in the home's file: what it would have changed lately, the change of the file, and the way back. */
export function SwitchGate({ gate, onWritten, onClose }: SwitchGateProps) {
	const say = useSay();
	const { id, enabled, start } = gate;
	// Where a condition says when it judges, on means that the file leaves it to that.
	const on = start === 'on' || start === 'off' ? true : null;
	// Once it is written the page knows it: what was pressed stays what the dialog is about.
	const [value] = useState(enabled === false ? on : false);
	const sentence = say.known(gateSentence(id));
	return (
		<WriteSettings
			title={
				value === false ? say('Switch off: {rule}', { rule: sentence }) : say('Switch on: {rule}', { rule: sentence })
			}
			set={{ [gate.switch]: value }}
			projects={[]}
			chosen={null}
			onWritten={onWritten}
			onClose={onClose}
		>
			{gate.isRehearsed && value !== null ? (
				<Rehearsal set={JSON.stringify({ [gate.switch]: value })} />
			) : (
				<p className="text-muted">{say('History cannot be asked about this rule.')}</p>
			)}
		</WriteSettings>
	);
}

/** How the last 30 days would have gone with other settings, in a sentence, and the calls on demand. */
function Rehearsal({ set }: { set: string }) {
	const say = useSay();
	const { answer, error } = useRejudge({ set });
	if (!answer) return <p className="text-muted">{error ?? say('Asking history…')}</p>;
	const since = new Date(Date.now() - DAYS_MS).toISOString();
	const lately = answer.changed.filter(({ at }) => at >= since);
	const more = lately.filter(({ after }) => after === 'deny');
	const spared = lately.length - more.length;
	return (
		<div role="status">
			{more.length > 0 && (
				<p>
					{say('With this, {count} {count:call|calls} of the last 30 days would have been denied; {ran} of them ran.', {
						count: more.length,
						ran: more.filter(({ ran }) => ran).length,
					})}
				</p>
			)}
			{spared > 0 && (
				<p>
					{say('With this, {count} {count:denial|denials} of the last 30 days would not have been given.', {
						count: spared,
					})}
				</p>
			)}
			{lately.length === 0 && answer.next === null && (
				<p>{say('With this, nothing of the last 30 days would differ.')}</p>
			)}
			{answer.next !== null && <p className="text-muted">{say('Still asking…')}</p>}
			{lately.length > 0 && (
				<details>
					<summary className="min-h-6 cursor-pointer text-accent pointer-coarse:min-h-10">
						{say('Show the calls')}
					</summary>
					<ChangedVerdicts answer={{ ...answer, changed: lately }} />
				</details>
			)}
		</div>
	);
}
