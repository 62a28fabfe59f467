'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { mayAnywhere } from '#lib/hub/may.ts';
import { useSay } from '../../language/use-say.ts';
import { useLive } from '../../live/store.ts';
import { Button } from '../../ui/button.tsx';
import { MayBeOld } from '../../ui/may-be-old.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { useRoving } from '../../ui/use-roving.ts';
import { MachineFilter } from './machine-filter.tsx';
import { MachineHead, MachineRow } from './machine-row.tsx';
import { NoMachines } from './no-machines.tsx';
import { useMachines } from './use-machines.ts';

const AddMachine = dynamic(() => import('./add-machine.tsx').then((module) => module.AddMachine));
const MachineDialog = dynamic(() => import('./machine-dialog.tsx').then((module) => module.MachineDialog));

/** The machines of a hub: which are well, which somebody has to look at, and how another one joins. */
export function MachinesPage() {
	const say = useSay();
	const isAllowed = useLive(({ me }) => me === null || mayAnywhere(me.hub?.roles ?? [], 'edges'));
	const { list, error, reload, params, setParams } = useMachines(isAllowed);
	const { listRef, rowProps } = useRoving();
	const [isAdding, setAdding] = useState(false);
	if (!isAllowed) {
		return <p className="mx-auto max-w-3xl p-4 text-muted">{say('Only an admin of a team sees its machines.')}</p>;
	}
	if (!list) return <NotYet label={say('Machines are loading')} error={error} />;
	const { edges, counts } = list;
	const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
	const isWhole = params.team === null && params.q === '';
	const shown = params.state === null ? all : counts[params.state];
	const opened = edges.find(({ id }) => id === params.machine);
	return (
		<div className="mx-auto flex max-w-6xl flex-col gap-3 p-4 pb-8">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<h1 className="mr-auto font-semibold text-title">{say('Machines')}</h1>
				<Button kind="primary" onClick={() => setAdding(true)}>
					{say('Add a machine')}
				</Button>
			</div>
			<MayBeOld error={error} />
			{all === 0 && isWhole ? (
				<NoMachines onAdd={() => setAdding(true)} />
			) : (
				<>
					<MachineFilter list={list} params={params} onChange={(change) => void setParams(change)} />
					{edges.length === 0 ? (
						<p role="status" className="text-muted">
							{say('No machine fits.')}{' '}
							<Button kind="quiet" size="small" onClick={() => void setParams({ team: null, state: null, q: null })}>
								{say('Show all')}
							</Button>
						</p>
					) : (
						<div className="@container">
							<MachineHead />
							<ul ref={listRef} aria-label={say('Machines')} className="border-line border-t">
								{edges.map((edge, at) => (
									<MachineRow
										key={edge.id}
										edge={edge}
										rowProps={rowProps(String(edge.id), at === 0)}
										onOpen={() => void setParams({ machine: edge.id })}
									/>
								))}
							</ul>
						</div>
					)}
					{edges.length < shown && (
						<p className="text-muted">
							{say('The first {shown} of {all} are shown. Narrow them by team, state or words.', {
								shown: edges.length,
								all: shown,
							})}
						</p>
					)}
				</>
			)}
			{isAdding && <AddMachine list={list} onClose={() => setAdding(false)} />}
			{opened && (
				<MachineDialog
					key={opened.id}
					edge={opened}
					onChange={reload}
					onClose={() => void setParams({ machine: null })}
				/>
			)}
		</div>
	);
}
