'use client';
import { parseAsString, useQueryStates } from 'nuqs';
import { useMemo, useState } from 'react';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { parsedJson } from '#lib/json/json.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayDecide } from '../../live/hub.tsx';
import { useRoute } from '../../live/use-answer.ts';
import { Alert, AnswerPending } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { type Filter, FilterControl } from '../../ui/filter-control.tsx';
import { Page } from '../../ui/page.tsx';
import { Fold, Part } from '../../ui/part.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';
import { useNarrow } from '../../ui/use-size.ts';
import { useLately } from '../rule-table.tsx';
import { ChangedVerdicts, useRejudge } from './changed-verdicts.tsx';
import { WhatIf } from './what-if.tsx';
import { WriteSettings } from './write-settings.tsx';

const EXCLUDE = 'commands.exclude';
const MISMATCH = 'gates.routing.onMismatch';
const REVIEWS = 'supervisor.maxIterations';

/** Settings that differ from those in force, by path. */
type Draft = Readonly<Record<string, unknown>>;

/** Tries other settings on recorded calls, and can write them. */
export function RejudgePage() {
	const say = useSay();
	const { data: rules, error } = useRoute('GET /api/rules', {}, { schema: RuleList });
	if (!rules) return <AnswerPending label={say('Rules are loading')} error={error} />;
	return <Rejudge gates={rules.gates} />;
}

function Rejudge({ gates: all }: { gates: RuleList['gates'] }) {
	const say = useSay();
	const mayAct = useMayDecide();
	const [{ exclude, project, session }, setParams] = useRejudgeParams();
	const { data: known } = useRoute('GET /api/features', {});
	const lately = useLately();
	const isNarrow = useNarrow();
	const current = useMemo(() => listInForce(all), [all]);
	const gates = all.filter(({ isRehearsed }) => isRehearsed);
	const triedWith = (draft: Draft, list: string | null) =>
		JSON.stringify({ ...(list !== null && !isSame(namesIn(list), current) && { [EXCLUDE]: namesIn(list) }), ...draft });
	const [draft, setDraft] = useState<Draft>({});
	const set = triedWith(draft, exclude);
	const [submitted, setSubmitted] = useState(set === '{}' ? null : set);
	const [isWriting, setWriting] = useState(false);
	const { answer, error } = useRejudge(
		submitted === null
			? null
			: {
					set: submitted,
					base: JSON.stringify({ [EXCLUDE]: current }),
					...(session ? { session } : project ? { project } : {}),
				},
	);
	const projects = known?.projects ?? [];
	function tryOut(next: Draft, list: string | null) {
		const wished = triedWith(next, list);
		setDraft(next);
		void setParams({ exclude: list });
		setSubmitted(wished === '{}' ? null : wished);
	}
	return (
		<Page
			title={say('Try other settings on history')}
			about={say('Recorded calls are judged again with these settings. Nothing changes until you write them.')}
			aside={
				<TextLink href="/rules" className="order-first text-muted">
					{say('‹ Rules')}
				</TextLink>
			}
			className="max-w-6xl"
		>
			<div className="grid gap-x-8 gap-y-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
				<form
					onSubmit={(event) => {
						event.preventDefault();
						setSubmitted(set);
					}}
					className="flex flex-col gap-4 lg:border-line lg:border-r lg:pr-8"
				>
					<CommandList current={current} />
					{isNarrow ? (
						<Fold title={say('Change a rule')}>
							<RuleSettings gates={gates} draft={draft} onDraft={setDraft} />
						</Fold>
					) : (
						<RuleSettings gates={gates} draft={draft} onDraft={setDraft} />
					)}
					<div className="flex flex-wrap items-center gap-2">
						<Button type="submit" kind="primary" disabled={set === '{}'}>
							{say('Ask history')}
						</Button>
						{set !== '{}' && (
							<Button kind="quiet" onClick={() => tryOut({}, null)}>
								{say('Start over')}
							</Button>
						)}
						<HistoryFilter projects={projects} />
					</div>
				</form>
				<div className="flex min-w-0 flex-col gap-6">
					<Alert>{error}</Alert>
					{answer && (
						<ChangedVerdicts
							answer={answer}
							gates={all}
							action={
								mayAct &&
								submitted === set && <Button onClick={() => setWriting(true)}>{say('Write these settings…')}</Button>
							}
						/>
					)}
					<WhatIf
						{...{ gates, current, lately }}
						onTry={({ exclude: list, switches = {} }) => tryOut(switches, list?.join(' ') ?? null)}
					/>
				</div>
			</div>
			{isWriting && (
				<WriteSettings
					set={JSON.parse(set) as Record<string, unknown>}
					projects={projects}
					chosen={project}
					onClose={() => setWriting(false)}
				/>
			)}
		</Page>
	);
}

const namesIn = (list: string): readonly string[] => list.split(/[\s,]+/u).filter(Boolean);
const without = (one: readonly string[], other: readonly string[]) => one.filter((name) => !other.includes(name));
const isSame = (one: readonly string[], other: readonly string[]) =>
	without(one, other).length + without(other, one).length === 0;

function listInForce(gates: RuleList['gates']): readonly string[] {
	const list = parsedJson(gates.find(({ values }) => EXCLUDE in values)?.values[EXCLUDE] ?? '[]');
	return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

/** The list in force, to be edited; below it what the edit adds and removes. */
function CommandList({ current }: { current: readonly string[] }) {
	const say = useSay();
	const [{ exclude }, setParams] = useRejudgeParams();
	const names = exclude === null ? current : namesIn(exclude);
	const [added, removed] = [without(names, current), without(current, names)];
	return (
		<div className="flex flex-col gap-1">
			<TextField
				label={say('Commands that must not run')}
				value={exclude ?? current.join(' ')}
				onWrite={(list) => void setParams({ exclude: list })}
				placeholder="rm sudo git"
				className="w-full font-mono text-mono"
			/>
			{added.length > 0 && <p>{say('Adds {names} to the list.', { names: added.join(', ') })}</p>}
			{removed.length > 0 && (
				<Toned tone="warn" as="p">
					{say('Removes {names} from the list.', { names: removed.join(', ') })}
				</Toned>
			)}
			{added.length + removed.length === 0 && (
				<p className="text-muted">
					{current.length > 0
						? say('This is the list in force. Add or remove commands.')
						: say('No command is on the list now.')}
				</p>
			)}
		</div>
	);
}

interface RuleSettingsProps {
	gates: RuleList['gates'];
	draft: Draft;
	onDraft: (draft: Draft) => void;
}

/** The switches in force; one that is pressed is tried the other way round. */
function RuleSettings({ gates, draft, onDraft }: RuleSettingsProps) {
	const say = useSay();
	const mismatch = parsedJson(gates.find(({ values }) => MISMATCH in values)?.values[MISMATCH] ?? '""');
	function write(path: string, value: unknown, isInForce: boolean) {
		const { [path]: _, ...others } = draft;
		onDraft(isInForce ? others : { ...others, [path]: value });
	}
	return (
		<>
			<Part title={say('Rules')} isList>
				{gates.map(({ id, enabled, switch: path }) => {
					const isOn = enabled !== false;
					const wished = (draft[path] ?? isOn) === true;
					return (
						<li key={id} className="flex min-h-8 items-center gap-3 border-line border-b">
							<span className="mr-auto">{say.known(gateSentence(id))}</span>
							{wished !== isOn && <span className="text-warn">{say('changed')}</span>}
							<Switch
								label={say.known(gateSentence(id))}
								isOn={wished}
								onPress={() => write(path, !wished, !wished === isOn)}
							/>
						</li>
					);
				})}
			</Part>
			<Select
				isNamed
				label={say('If a sub-agent is not in the plan')}
				value={String(draft[MISMATCH] ?? mismatch)}
				choices={[
					{ value: 'deny', label: say('the call is denied') },
					{ value: 'stop', label: say('the turn ends') },
				]}
				onChoose={(next) => write(MISMATCH, next, next === mismatch)}
			/>
			<TextField
				label={say('Reviews before an agent may stop')}
				placeholder={say('as it was')}
				type="number"
				min={1}
				value={String(draft[REVIEWS] ?? '')}
				onWrite={(most) => write(REVIEWS, Number(most), most.trim() === '')}
			/>
		</>
	);
}

/** Narrows history to one project. A link may also narrow it to one session. */
function HistoryFilter({ projects }: { projects: readonly FeatureProject[] }) {
	const say = useSay();
	const [{ project, session }, setParams] = useRejudgeParams();
	const filters: Filter[] = [
		{
			label: say('project'),
			value: project,
			choices: projects.map(({ id, name }) => ({ value: id, label: name })),
			onChoose: (next) => void setParams({ project: next, session: null }),
		},
		{
			...{ label: say('one session'), value: session, choices: [] },
			onChoose: () => void setParams({ project: null, session: null }),
		},
	];
	return <FilterControl filters={filters} />;
}

const parsers = {
	/** Command patterns separated by spaces. Absent: the list in force. */
	exclude: parseAsString,
	project: parseAsString,
	session: parseAsString,
};

const useRejudgeParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });
