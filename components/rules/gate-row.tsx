import { useState } from 'react';
import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { RejudgeAnswer } from '#lib/contract/rules/rejudge.ts';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import { coverageWords } from '#lib/gates/gate-coverage.ts';
import { gateExplanation, gateSentence, gateTitle, profileWords } from '#lib/gates/gate-title.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { useMayDecide } from '../live/hub.tsx';
import { cn } from '../ui/cn.ts';
import { GridFact } from '../ui/detail-fact.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { ChangedVerdicts, NotJudged, useRejudge } from './rejudge/changed-verdicts.tsx';
import { WriteSettings } from './rejudge/write-settings.tsx';
import { DeniedDays, deniedWords, EXCLUDE, listInForce, type RuleLine, RuleTable } from './rule-table.tsx';

type Gate = RuleList['gates'][number];

interface GateRowProps {
	gate: Gate;
	list: RuleList;
	/** Days of the last weeks by rule; null until loaded. */
	lately: LedgerSummary | null;
	onWritten: () => void;
}

export const GATE_COLUMNS =
	'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 md:grid-cols-[minmax(0,6fr)_minmax(0,4fr)_7rem_8.5rem_2.25rem]';

/** A gate as one row: purpose, effect, recent activity and its switch. Details open below. */
export function GateRow({ gate, list, lately, onWritten }: GateRowProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const { id, enabled, start } = gate;
	const explanation = gateExplanation(id);
	const rules = Object.keys(gate.denies);
	const isList = EXCLUDE in gate.values;
	const commands = isList ? listInForce([gate]) : [];
	const isEmpty = isList && commands.length === 0;
	return (
		<section
			aria-labelledby={`gate-${id}`}
			className={cn(GATE_COLUMNS, 'min-h-10 items-center border-line border-t py-1.5')}
		>
			<div className="min-w-0">
				<h2 id={`gate-${id}`} className={cn('font-medium', enabled === false && 'text-muted')}>
					<button
						type="button"
						aria-expanded={isOpen}
						onClick={() => setOpen(!isOpen)}
						className="chevron min-h-6 text-left hover:underline pointer-coarse:min-h-10"
					>
						{say.known(gateSentence(id))}
					</button>
				</h2>
				{explanation && <p className="pl-4.5 text-muted text-small">{say(explanation)}</p>}
			</div>
			<div className="max-md:order-last max-md:col-span-2 max-md:flex max-md:pl-4.5">
				<p className={cn('max-md:text-small', enabled === false && 'text-muted')}>
					{isEmpty ? <Toned tone="warn">{say('Not in force: the list is empty')}</Toned> : say(effectOf(gate))}
				</p>
				{isList && (
					<p className="flex flex-wrap items-baseline gap-x-3 text-small max-md:pl-3">
						<AgentText className="font-mono empty:hidden">{commands.join(' ')}</AgentText>
						<TextLink href="/rejudge">{say('Edit the list')}</TextLink>
					</p>
				)}
				{enabled === null && !isList && (
					<p className="text-muted text-small max-md:hidden">
						{say('on {start}', { start: say.known(start).replaceAll(/`([^`]*)`/g, '“$1”') })}
					</p>
				)}
			</div>
			<span className="max-md:hidden">{lately && <DeniedDays rules={rules} lately={lately} className="h-5" />}</span>
			<span className="text-muted tabular-nums max-md:order-last max-md:col-span-2 max-md:pl-4.5 max-md:text-small max-md:empty:hidden">
				{deniedWords(rules, lately, say)}
			</span>
			<GateSwitch {...{ gate, list, onWritten }} isIdle={isEmpty} />
			{isOpen && <GateFacts gate={gate} list={list} />}
		</section>
	);
}

function effectOf({ denies, hold }: Gate): Plain {
	if (Object.keys(denies).length === 0) return 'Advises';
	return hold ? 'Denies, or asks you' : 'Denies at once';
}

/** The gate's switch. Disabled if a hub's policy sets it, or for viewers. Idle: on, but without effect. */
function GateSwitch({ gate, list, isIdle, onWritten }: Omit<GateRowProps, 'lately'> & { isIdle: boolean }) {
	const isFromHub = gate.switch in (list.policy?.says ?? {});
	const say = useSay();
	const mayDecide = useMayDecide();
	const [isAsking, setAsking] = useState(false);
	const isOn = gate.enabled !== false;
	return (
		<>
			<button
				type="button"
				role="switch"
				aria-checked={isOn}
				aria-label={say.known(gateSentence(gate.id))}
				disabled={isFromHub || !mayDecide}
				title={isFromHub ? say('The hub’s policy says it') : undefined}
				onClick={() => setAsking(true)}
				className="inline-flex min-h-6 shrink-0 items-center justify-self-end disabled:opacity-60 pointer-coarse:min-h-10 pointer-coarse:min-w-10 pointer-coarse:justify-end"
			>
				<span
					aria-hidden
					className={cn(
						'inline-flex h-5 w-9 items-center rounded-full border border-edge px-0.5',
						isOn && 'justify-end',
						isOn && !isIdle ? 'bg-accent' : 'bg-raised',
					)}
				>
					<span className={cn('size-3.5 rounded-full', isOn && !isIdle ? 'bg-on-accent' : 'bg-muted')} />
				</span>
			</button>
			{isAsking && <SwitchGate gate={gate} onWritten={onWritten} onClose={() => setAsking(false)} />}
		</>
	);
}

function GateFacts({ gate, list }: Pick<GateRowProps, 'gate' | 'list'>) {
	const say = useSay();
	const says = list.policy?.says ?? {};
	const { id, where, profile, rests, settings, values } = gate;
	const closed = list.makes.filter(({ name }) => gate.standing[name] === 'holds').map(({ title }) => title);
	const rules = Object.entries(gate.denies).map(([rule, words]): RuleLine => {
		const { denied = 0, overridden = 0 } = list.rules.find((count) => count.rule === rule) ?? {};
		return { rule, denies: words, denied, overridden };
	});
	return (
		<div className="order-last col-span-full pt-1 pb-2 md:pl-4">
			<dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
				<GridFact name={say('Gate')}>{say.known(gateTitle(id))}</GridFact>
				<GridFact name={say('Judges')}>{say.known(where)}</GridFact>
				<GridFact name={say('If it cannot judge')}>{say(profileWords[profile])}</GridFact>
				<GridFact name={say('Clients')}>{coverageWords(gate, list.makes, say) ?? say('All')}</GridFact>
				<GridFact name={say('If its hook fails')}>
					{closed.length === 0 ? (
						say('the call runs')
					) : (
						<Advice>
							{say(
								'with {clients} the call is denied (Claude Code: once its fail-closed entry is registered); with others it runs',
								{ clients: closed.join(', ') },
							)}
						</Advice>
					)}
				</GridFact>
				<GridFact name={say('How binding')}>
					<Advice>{say.known(rests)}</Advice>
				</GridFact>
				{id === 'command-policy' && (
					<GridFact name={say('Stops')}>
						<Advice>
							{say(
								'slips, and what a line shows of an attack. Against a program that means harm, set `commands.enforce` to "sandbox". `signalbox rules coverage` measures it.',
							)}
						</Advice>
					</GridFact>
				)}
				<GridFact name={say('Settings')}>
					<span className="flex flex-wrap gap-x-3 font-mono text-mono">
						{settings.map((path) => (
							<code key={path}>
								{path}
								{values[path] !== undefined && (
									<span className="text-muted">
										{' = '}
										<AgentText className="[overflow-wrap:anywhere]">{values[path]}</AgentText>
									</span>
								)}
								{says[path] !== undefined && (
									<span className="text-run"> {say('{value} from the hub', { value: says[path] })}</span>
								)}
							</code>
						))}
					</span>
				</GridFact>
			</dl>
			{rules.length > 0 && <RuleTable rules={rules} />}
		</div>
	);
}

const DAYS_MS = 30 * 24 * 3_600_000;

function SwitchGate({ gate, onWritten, onClose }: Pick<GateRowProps, 'gate' | 'onWritten'> & { onClose: () => void }) {
	const say = useSay();
	const { id, enabled, start } = gate;
	// If a condition decides when the gate judges, switching it on removes the setting from the file.
	const on = start === 'on' || start === 'off' ? true : null;
	// Remember what was pressed: once written, the page reloads with the new value while the dialog is still open.
	const [value] = useState(enabled === false ? on : false);
	const sentence = say.known(gateSentence(id));
	return (
		<WriteSettings
			title={say(value === false ? 'Switch off: {rule}' : 'Switch on: {rule}', { rule: sentence })}
			set={{ [gate.switch]: value }}
			onWritten={onWritten}
			onClose={onClose}
		>
			{gate.isRehearsed && value !== null ? (
				<Rehearsal set={JSON.stringify({ ...(value && gate.rehearsedWith), [gate.switch]: value })} gates={[gate]} />
			) : (
				<p className="text-muted">{say('History cannot be asked about this rule.')}</p>
			)}
		</WriteSettings>
	);
}

const noChange = (notJudged: number): Plain =>
	notJudged === 0
		? 'With this, nothing of the last 30 days would differ.'
		: 'With this, nothing that can be judged of the last 30 days would differ.';

function Rehearsal({ set, gates }: { set: string; gates: RuleList['gates'] }) {
	const say = useSay();
	const { answer, error } = useRejudge({ set });
	return answer ? (
		<RehearsedChange answer={answer} gates={gates} />
	) : (
		<p className="text-muted">{error ?? say('Asking history…')}</p>
	);
}

/** What a setting would have changed, and how much of history could not be judged with it. */
export function RehearsedChange({ answer, gates = [] }: { answer: RejudgeAnswer; gates?: RuleList['gates'] }) {
	const say = useSay();
	const since = new Date(Date.now() - DAYS_MS).toISOString();
	const lately = answer.changed.filter(({ at }) => at >= since);
	const added = lately.filter(({ after }) => after === 'deny').length;
	return (
		<div role="status">
			{lately.length > 0 ? (
				<ChangedVerdicts answer={{ ...answer, added, spared: lately.length - added, changed: lately }} gates={gates} />
			) : (
				<>
					{answer.next === null && <p>{say(noChange(answer.notJudged))}</p>}
					<NotJudged count={answer.notJudged} />
				</>
			)}
		</div>
	);
}
