'use client';
import { type FormEvent, useId, useState } from 'react';
import type { HubEdges, MadeCode } from '#lib/contract/hub/edges.ts';
import { roundDuration } from '#lib/time/duration.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogFoot } from '../../ui/dialog/dialog-foot.tsx';
import { field } from '../../ui/field.ts';
import { Select } from '../../ui/select.tsx';
import { MadeLine } from './made-line.tsx';

/** How long a code is good (min). */
const SPANS = [60, 480, 1440] as const;
const MOST_USES = 10_000;
const MOST_LABELS = 8;

interface AddMachineProps {
	list: Pick<HubEdges, 'teams' | 'newTeams'>;
	onClose: () => void;
}

/** Makes the line with which machines join, and tells it once. */
export function AddMachine({ list: { teams, newTeams }, onClose }: AddMachineProps) {
	const say = useSay();
	const known = useId();
	const [team, setTeam] = useState(teams[0] ?? (newTeams ? 'team' : ''));
	const [uses, setUses] = useState('1');
	const [minutes, setMinutes] = useState<number>(SPANS[0]);
	const [labels, setLabels] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const [made, setMade] = useState<{ code: MadeCode; uses: number } | null>(null);
	const count = Number(uses);
	const named = labels.split(',').flatMap((label) => label.trim() || []);
	const mayMake =
		team.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= MOST_USES && named.length <= MOST_LABELS;

	async function make(event: FormEvent) {
		event.preventDefault();
		if (!mayMake || isBusy) return;
		setBusy(true);
		setRefusal(null);
		const answer = await callRoute('POST /api/hub/codes', { body: { team, uses: count, minutes, labels: named } });
		setBusy(false);
		if (answer.ok) setMade({ code: answer.data, uses: count });
		else setRefusal(answer.message);
	}

	return (
		<Dialog title={say('Add a machine')} open onOpenChange={(stays) => !stays && onClose()}>
			{made ? (
				<MadeLine {...made} onClose={onClose} />
			) : (
				<form onSubmit={(event) => void make(event)} className="flex flex-col gap-3 p-4">
					<div className="flex flex-col gap-1">
						<span aria-hidden>{say('Team')}</span>
						{newTeams ? (
							<input
								aria-label={say('Team')}
								value={team}
								onChange={({ target }) => setTeam(target.value)}
								list={known}
								maxLength={80}
								required
								className={field}
							/>
						) : (
							<Select
								label={say('Team')}
								value={team}
								choices={teams.map((name) => ({ value: name, label: name }))}
								onChoose={setTeam}
								className={field}
							/>
						)}
					</div>
					<datalist id={known}>
						{teams.map((name) => (
							<option key={name} value={name} />
						))}
					</datalist>
					<div className="flex flex-wrap gap-3">
						<label className="flex flex-col gap-1">
							{say('For how many machines')}
							<input
								type="number"
								min={1}
								max={MOST_USES}
								value={uses}
								onChange={({ target }) => setUses(target.value)}
								className={`${field} w-28 tabular-nums`}
							/>
						</label>
						<div className="flex flex-col gap-1">
							<span aria-hidden>{say('Good for')}</span>
							<Select
								label={say('Good for')}
								value={String(minutes)}
								choices={SPANS.map((span) => ({
									value: String(span),
									label: roundDuration(span * 60_000, say.language),
								}))}
								onChoose={(chosen) => setMinutes(Number(chosen))}
								className={field}
							/>
						</div>
					</div>
					<label className="flex flex-col gap-1">
						{say('Labels, with commas between them (may be left out)')}
						<input
							value={labels}
							onChange={({ target }) => setLabels(target.value)}
							maxLength={300}
							placeholder={say('ci, berlin')}
							className={field}
						/>
					</label>
					{count > 1 && (
						<p className="text-muted">
							{say('Each of several machines waits here, unseen by others, until an admin takes it in.')}
						</p>
					)}
					<DialogFoot refusal={refusal} onClose={onClose}>
						<Button kind="primary" type="submit" disabled={!mayMake || isBusy}>
							{say('Make the line')}
						</Button>
					</DialogFoot>
				</form>
			)}
		</Dialog>
	);
}
