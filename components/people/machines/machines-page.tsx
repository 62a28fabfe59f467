'use client';
import dynamic from 'next/dynamic';
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { memo, useState } from 'react';
import type { HubEdge, HubEdges } from '#lib/contract/hub/edges.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { behindWords, clockWords, groupLooks, groupOf, groups, levels, stateLook } from '#lib/hub/machine-looks.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import { useSay } from '../../language/use-say.ts';
import { useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';
import { AnswerPending } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { ColumnHeads } from '../../ui/column-heads.tsx';
import { FilterControl, namesToChoose } from '../../ui/filter-control.tsx';
import { Page } from '../../ui/page.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Toned, toneGlyph, toneText } from '../../ui/tone.tsx';
import { type RowProps, useRoving } from '../../ui/use-roving.ts';
import { When } from '../../ui/when.tsx';

const AddMachine = dynamic(() => import('./add-machine.tsx').then((module) => module.AddMachine));
const MachineDialog = dynamic(() => import('./machine-dialog.tsx').then((module) => module.MachineDialog));

export function MachinesPage() {
	const say = useSay();
	const isAllowed = useLive(({ me }) => me === null || mayAnywhere(me.hub?.roles ?? [], 'edges'));
	const [params, setParams] = useMachineParams();
	const { team, state, q } = params;
	const query = { team: team ?? undefined, group: state ?? undefined, q: q.trim() || undefined };
	const options = { everyMs: REFRESH_MS, keepsLast: true };
	const { data: list, error, reload } = useRoute('GET /api/hub/edges', isAllowed ? { query } : null, options);
	const { listRef, rowProps } = useRoving();
	const [isAdding, setAdding] = useState(false);
	if (!isAllowed) {
		return <p className="mx-auto max-w-3xl p-4 text-muted">{say('Only an admin of a team sees its machines.')}</p>;
	}
	if (!list) return <AnswerPending label={say('Machines are loading')} error={error} />;
	const { edges, counts } = list;
	const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
	const isWhole = team === null && q === '';
	const shown = state === null ? all : counts[state];
	const opened = edges.find(({ id }) => id === params.machine);
	return (
		<Page
			title={say('Machines')}
			about={
				all > 0 && (
					<Toned tone={counts.connected === 0 ? 'warn' : 'ok'} className="font-medium">
						{say('{count} of {all} {all:machine is|machines are} connected', { count: counts.connected, all })}
					</Toned>
				)
			}
			aside={
				<Button kind="primary" className="ml-auto" onClick={() => setAdding(true)}>
					{say('Add a machine')}
				</Button>
			}
			error={error}
			className="gap-3"
		>
			{all === 0 && isWhole ? (
				<p className="text-muted">
					{say(
						'No machine has joined yet. Add one, and run the line that is shown on it, in the project to be shared.',
					)}
				</p>
			) : (
				<>
					{(all >= MANY || !isWhole || state !== null) && <MachineFilter list={list} />}
					{edges.length === 0 ? (
						<p role="status" className="text-muted">
							{say('No machine fits.')}{' '}
							<Button kind="quiet" size="small" onClick={() => void setParams({ team: null, state: null, q: null })}>
								{say('Show all')}
							</Button>
						</p>
					) : (
						<div className="@container">
							<ColumnHeads
								names={HEADS}
								className={cn(COLUMNS, 'hidden @min-[700px]:grid [&>:last-child]:text-right')}
							/>
							<ul ref={listRef} aria-label={say('Machines')} className="border-line border-t">
								{edges.map((edge, index) => (
									<MachineRow
										key={edge.id}
										edge={edge}
										rowProps={rowProps(String(edge.id), index === 0)}
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
		</Page>
	);
}

/** As many are worth a filter. */
const MANY = 10;
const HEADS = ['Machine', 'State', 'Last work', 'Last seen'] as const;
const COLUMNS =
	'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 text-left @min-[700px]:grid-cols-[minmax(0,1fr)_10rem_minmax(0,1fr)_5rem]';

interface MachineRowProps {
	edge: HubEdge;
	rowProps: RowProps;
	onOpen: () => void;
}

const MachineRow = memo(function MachineRow({ edge, rowProps, onOpen }: MachineRowProps) {
	const say = useSay();
	const { name, team, reason, seenAt, labels, level, older } = edge;
	const { word, tone, glyph = toneGlyph[tone] } = stateLook(edge);
	const running = useLive(({ sessions }) => runningAt(edge, Object.values(sessions ?? {})));
	const behind = behindWords(edge, say);
	const clock = clockWords(edge, say);
	const warnings = [
		reason && say.field(edge, 'reason'),
		older && say('Its Signalbox is older than this hub: what is newer does not come of it. Upgrade it.'),
		clock && say('Its clock is {far}.', { far: clock }),
		behind?.isLate && behind.words,
	].filter((words) => typeof words === 'string');
	return (
		<li>
			<button
				{...rowProps}
				type="button"
				onClick={onOpen}
				className={cn(COLUMNS, 'min-h-9 w-full border-line border-b py-1 hover:bg-hover pointer-coarse:min-h-11')}
			>
				<span className="col-start-1 row-start-1 flex min-w-0 flex-wrap items-center gap-x-2">
					<AgentText className="min-w-0 truncate font-medium">{name}</AgentText>
					<AgentText className="min-w-0 truncate text-muted">{say('team {name}', { name: team })}</AgentText>
					{[...labels, ...(level === 'watch' ? [] : [say('decided by {who}', { who: say(levels[level].where) })])].map(
						(label) => (
							<AgentText key={label} className="rounded border border-line px-1 text-muted text-small">
								{label}
							</AgentText>
						),
					)}
					{warnings.map((warning) => (
						<AgentText key={warning} className="w-full text-small text-warn">
							{warning}
						</AgentText>
					))}
				</span>
				<span className={cn('min-w-0 truncate @max-[699px]:order-1', toneText[tone])}>
					<span aria-hidden>{glyph} </span>
					{say(word)}
				</span>
				<AgentText
					className={cn(
						'min-w-0 truncate @max-[699px]:order-3',
						!edge.connected && 'text-muted',
						running === '' && '@max-[699px]:hidden',
					)}
				>
					{running || '–'}
				</AgentText>
				<span className="col-start-2 row-start-1 text-right text-muted @min-[700px]:col-start-4">
					<span className="sr-only">{say('Last seen')} </span>
					{groupOf(edge) === 'connected' ? say('now') : seenAt === null ? '–' : <When at={seenAt} />}
				</span>
			</button>
		</li>
	);
});

const runningAt = ({ name, team }: HubEdge, sessions: readonly SessionSummary[]): string =>
	sessions
		.filter(({ machine: at, status }) => at?.name === name && at.team === team && /^(?:run|wait)/.test(status))
		.map(({ title, sessionId }) => (title ? plainLine(title) : sessionId))
		.join(', ');

function MachineFilter({ list: { counts, teams } }: { list: HubEdges }) {
	const say = useSay();
	const [{ team, state, q }, setParams] = useMachineParams();
	return (
		<div className="flex flex-wrap items-center gap-2">
			<FilterControl
				filters={[
					{
						label: say('State'),
						value: state,
						choices: groups
							.filter((group) => counts[group] > 0)
							.map((group) => ({
								value: group,
								label: say('{state} {count}', { state: say(groupLooks[group].word), count: counts[group] }),
							})),
						onChoose: (group) => void setParams({ state: groups.find((known) => known === group) ?? null }),
					},
					{
						label: say('Team'),
						value: team,
						choices: namesToChoose(teams),
						onChoose: (chosen) => void setParams({ team: chosen }),
					},
				]}
			/>
			<TextField
				isBare
				type="search"
				label={say('Find machines')}
				placeholder={say('name, team, label…')}
				value={q}
				maxLength={200}
				onWrite={(words) => void setParams({ q: words })}
				className="h-6 min-w-0 flex-1 md:max-w-56"
			/>
		</div>
	);
}

const REFRESH_MS = 4000;

const parsers = {
	team: parseAsString,
	state: parseAsStringLiteral(groups),
	q: parseAsString.withDefault(''),
	machine: parseAsInteger,
};

const useMachineParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });
