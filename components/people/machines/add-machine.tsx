'use client';
import { type FormEvent, useId, useState } from 'react';
import type { HubEdge, HubEdges, MadeCode } from '#lib/contract/hub/edges.ts';
import { endTime } from '#lib/time/clock.ts';
import { roundDuration } from '#lib/time/duration.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useNow } from '../../live/now.ts';
import { useAction } from '../../live/use-action.ts';
import { useRoute } from '../../live/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { CommandBox } from '../../ui/copy-button.tsx';
import { Dialog, DialogFoot } from '../../ui/dialog/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ToneGlyph } from '../../ui/tone.tsx';

const SPANS = [60, 480, 1440] as const;
const MAX_USES = 10_000;
const MAX_LABELS = 8;

interface AddMachineProps {
	list: Pick<HubEdges, 'teams' | 'newTeams'>;
	onClose: () => void;
}

type Made = MadeCode & { uses: number };

export function AddMachine({ list: { teams, newTeams }, onClose }: AddMachineProps) {
	const say = useSay();
	const known = useId();
	const [team, setTeam] = useState(teams[0] ?? (newTeams ? 'team' : ''));
	const [uses, setUses] = useState('1');
	const [minutes, setMinutes] = useState<number>(SPANS[0]);
	const [labels, setLabels] = useState('');
	const { isBusy, refusal, run } = useAction();
	const [made, setMade] = useState<Made | null>(null);
	const count = Number(uses);
	const named = labels.split(',').flatMap((label) => label.trim() || []);
	const canCreate =
		team.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= MAX_USES && named.length <= MAX_LABELS;

	async function createCode(event: FormEvent) {
		event.preventDefault();
		if (!canCreate || isBusy) return;
		const body = { team, uses: count, minutes, labels: named };
		await run(callRoute('POST /api/hub/codes', { body }), (data) => setMade({ ...data, uses: count }));
	}

	return (
		<Dialog title={say('Add a machine')} onClose={onClose}>
			{made ? (
				<JoinCommand made={made} onClose={onClose} />
			) : (
				<form onSubmit={(event) => void createCode(event)} className="flex flex-col gap-3 p-4">
					{newTeams ? (
						<TextField label={say('Team')} value={team} onWrite={setTeam} list={known} maxLength={80} required />
					) : (
						<Select
							isNamed
							label={say('Team')}
							value={team}
							choices={teams.map((name) => ({ value: name, label: name }))}
							onChoose={setTeam}
						/>
					)}
					<datalist id={known}>
						{teams.map((name) => (
							<option key={name} value={name} />
						))}
					</datalist>
					<div className="flex flex-wrap gap-3">
						<TextField
							label={say('For how many machines')}
							type="number"
							min={1}
							max={MAX_USES}
							value={uses}
							onWrite={setUses}
							className="w-28 tabular-nums"
						/>
						<Select
							isNamed
							label={say('Good for')}
							value={String(minutes)}
							choices={SPANS.map((span) => ({
								value: String(span),
								label: roundDuration(span * 60_000, say.language),
							}))}
							onChoose={(chosen) => setMinutes(Number(chosen))}
						/>
					</div>
					<TextField
						label={say('Labels, with commas between them (may be left out)')}
						value={labels}
						onWrite={setLabels}
						maxLength={300}
						placeholder={say('ci, berlin')}
					/>
					{count > 1 && (
						<p className="text-muted">
							{say('Each of several machines waits here, unseen by others, until an admin accepts it.')}
						</p>
					)}
					<DialogFoot refusal={refusal} onClose={onClose}>
						<Button kind="primary" type="submit" disabled={!canCreate || isBusy}>
							{say('Make the line')}
						</Button>
					</DialogFoot>
				</form>
			)}
		</Dialog>
	);
}

const REFRESH_MS = 3000;

const word = (text: string) => <code className="font-mono text-mono">{text}</code>;

function JoinCommand({ made: { line, until, uses }, onClose }: { made: Made; onClose: () => void }) {
	const say = useSay();
	const now = useNow();
	const edges = useRoute('GET /api/hub/edges', {}, { everyMs: REFRESH_MS }).data?.edges;
	const [known, setKnown] = useState<ReadonlySet<number> | null>(null);
	if (edges && known === null) setKnown(new Set(edges.map(({ id }) => id)));
	const joined = edges?.filter(({ id }) => known?.has(id) === false) ?? [];
	const time = endTime(until, now, say.language);
	return (
		<div className="flex flex-col gap-3 p-4">
			<p>{say('Run this on the machine, in the folder of the project to be shared:')}</p>
			<CommandBox>{line}</CommandBox>
			<p className="text-muted">
				{uses === 1
					? say('Good once, until {time}. It is not shown again.', { time })
					: say('Good for {uses} machines, until {time}. It is not shown again.', { uses, time })}
			</p>
			<p className="text-muted">
				<Phrase
					of="With {all} it shares every session of the machine, with {shape} only what kind of thing happened when. The line says what is shared before anything is sent; then restart the server."
					with={{ all: word('--all'), shape: word('--shape') }}
				/>
			</p>
			<p role="status" className="flex flex-wrap items-center gap-x-2">
				<JoinedMachines edges={joined} />
			</p>
			<div className="flex justify-end">
				<Button onClick={onClose}>{say('Close')}</Button>
			</div>
		</div>
	);
}

export function JoinedMachines({ edges }: { edges: readonly Pick<HubEdge, 'name' | 'state'>[] }) {
	const say = useSay();
	const namesOf = (isPending: boolean) =>
		edges.flatMap(({ name, state }) => ((state === 'pending') === isPending ? name : [])).join(', ');
	const [joined, waiting] = [namesOf(false), namesOf(true)];
	if (edges.length === 0)
		return (
			<>
				<ToneGlyph tone="wait" />
				{say('Waiting for the machine…')}
			</>
		);
	return (
		<>
			{joined !== '' && (
				<>
					<ToneGlyph tone="ok" />
					<Phrase of="Joined: {names}" with={{ names: <AgentText>{joined}</AgentText> }} />
				</>
			)}
			{waiting !== '' && (
				<>
					<ToneGlyph tone="wait" />
					<Phrase of="To be accepted: {names}" with={{ names: <AgentText>{waiting}</AgentText> }} />
				</>
			)}
		</>
	);
}
