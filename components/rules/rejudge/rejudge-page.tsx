'use client';
import { parseAsString, useQueryStates } from 'nuqs';
import { useMemo, useState } from 'react';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { parsedJson } from '#lib/json/json.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayDecide } from '../../live/hub.tsx';
import { useRoute } from '../../live/use-answer.ts';
import { Alert, AnswerPending } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Part } from '../../ui/part.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';
import { Switch } from '../gate-row.tsx';
import { deniedBy, EXCLUDE, listInForce, useLately } from '../rule-table.tsx';
import { ChangedVerdicts, useRejudge } from './changed-verdicts.tsx';
import { WriteSettings } from './write-settings.tsx';

const MISMATCH = 'gates.routing.onMismatch';
const REVIEWS = 'supervisor.maxIterations';
const EXAMPLES = [
	['Nothing is done with git', 'git'],
	['Nothing is fetched from the network', 'curl wget'],
	['Nothing is removed, and nobody becomes root', 'rm sudo'],
] as const;

/** Tries other settings on recorded calls, and can write them. */
export function RejudgePage() {
	const say = useSay();
	const { data: rules, error } = useRoute('GET /api/rules', {}, { schema: RuleList });
	if (!rules) return <AnswerPending label={say('Rules are loading')} error={error} />;
	return <Rejudge gates={rules.gates} />;
}

function Rejudge({ gates }: { gates: RuleList['gates'] }) {
	const say = useSay();
	const mayAct = useMayDecide();
	const [{ exclude, project, session }, setParams] = useQueryStates(parsers, { history: 'replace', scroll: false });
	const { data: known } = useRoute('GET /api/features', {});
	const lately = useLately();
	const current = useMemo(() => listInForce(gates), [gates]);
	const mismatch = parsedJson(gates.find(({ values }) => MISMATCH in values)?.values[MISMATCH] ?? '""');
	/** Settings that differ from those in force, by path. The list of commands is in the address. */
	const [draft, setDraft] = useState<Readonly<Record<string, unknown>>>({});
	const list = exclude === null ? current : namesIn(exclude);
	const settingsOf = (names: readonly string[], rest = draft) =>
		JSON.stringify({ ...(isSame(names, current) ? {} : { [EXCLUDE]: names }), ...rest });
	const set = settingsOf(list);
	const [submitted, setSubmitted] = useState(set);
	const [isWriting, setWriting] = useState(false);
	const wish = { set: submitted, base: JSON.stringify({ [EXCLUDE]: current }) };
	const { answer, error } = useRejudge(
		submitted === NOTHING ? null : { ...wish, ...(session ? { session } : project ? { project } : {}) },
	);
	const projects = known?.projects ?? [];
	function change(path: string, value: unknown, inForce: unknown) {
		const { [path]: _, ...others } = draft;
		const next = value === inForce ? others : { ...others, [path]: value };
		setDraft(next);
		return next;
	}
	const questions = [
		...EXAMPLES.map(([words, names]) => [say(words), names, [...new Set([...list, ...names.split(' ')])]] as const),
		...current.map((name) => [say('Allow'), name, without(list, [name])] as const),
	];
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
			<div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
				<form
					onSubmit={(event) => {
						event.preventDefault();
						setSubmitted(set);
					}}
					className="flex min-w-0 flex-col gap-3 lg:border-line lg:border-r lg:pr-8"
				>
					<TextField
						label={say('Commands that must not run')}
						value={exclude ?? current.join(' ')}
						onWrite={(names) => void setParams({ exclude: names })}
						className="w-full font-mono text-mono"
					/>
					<ListChange current={current} list={list} />
					<Select
						isNamed
						label={say('If a sub-agent is not in the plan')}
						value={String(draft[MISMATCH] ?? mismatch)}
						choices={[
							{ value: 'deny', label: say('the call is denied') },
							{ value: 'stop', label: say('the turn ends') },
						]}
						onChoose={(next) => change(MISMATCH, next, mismatch)}
					/>
					<TextField
						label={say('Reviews before an agent may stop')}
						placeholder={say('as it was')}
						type="number"
						min={1}
						value={String(draft[REVIEWS] ?? '')}
						onWrite={(most) => change(REVIEWS, most.trim() === '' ? undefined : Number(most), undefined)}
					/>
					<Select
						isNamed
						label={say('Project')}
						value={project ?? ''}
						choices={[
							{ value: '', label: say('All') },
							...projects.map(({ id, name }) => ({ value: id, label: name })),
						]}
						onChoose={(next) => void setParams({ project: next || null, session: null })}
					/>
					<div className="flex flex-wrap items-center gap-2">
						<Button type="submit" kind="primary" disabled={set === NOTHING}>
							{say('Ask history')}
						</Button>
						{answer && mayAct && submitted === set && (
							<Button onClick={() => setWriting(true)}>{say('Write these settings…')}</Button>
						)}
					</div>
				</form>
				<div className="flex min-w-0 flex-col gap-6">
					<Alert>{error}</Alert>
					{answer && <ChangedVerdicts answer={answer} gates={gates} />}
					<Part title={say('What if a command were denied, or allowed?')} isList>
						{questions.map(([words, names, wished]) => (
							<li key={names} className={QUESTION}>
								<span>{words}</span>
								<code className="mr-auto whitespace-nowrap font-mono text-mono text-muted">{names}</code>
								<Button
									size="small"
									aria-label={say('Try {patterns}', { patterns: names })}
									onClick={() => {
										void setParams({ exclude: wished.join(' ') });
										setSubmitted(settingsOf(wished));
									}}
								>
									{say('Try')}
								</Button>
							</li>
						))}
					</Part>
					<Part
						title={say('What if a rule were the other way round?')}
						aside={<span className="text-muted text-small">{say('last 30 days')}</span>}
						isList
					>
						{gates.map(({ id, enabled, denies, isRehearsed, switch: path }) => {
							const isOn = enabled !== false;
							const wished = (draft[path] ?? isOn) === true;
							const counts = deniedBy(Object.keys(denies), lately);
							const isQuiet = counts.denied + counts.overridden === 0;
							const press = () => setSubmitted(settingsOf(list, change(path, !wished, isOn)));
							return (
								isRehearsed && (
									<li key={id} className={QUESTION}>
										<span className="mr-auto">{say.known(gateSentence(id))}</span>
										{wished !== isOn && <span className="text-warn">{say('changed')}</span>}
										{!isQuiet && (
											<span className="text-right text-muted">
												{say('{denied} denied, {overridden} approved', counts)}
											</span>
										)}
										<Switch label={say.known(gateSentence(id))} isOn={wished} onPress={press} />
									</li>
								)
							);
						})}
					</Part>
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

const NOTHING = '{}';
const namesIn = (list: string): readonly string[] => list.split(/[\s,]+/u).filter(Boolean);
const without = (one: readonly string[], other: readonly string[]) => one.filter((name) => !other.includes(name));
const isSame = (one: readonly string[], other: readonly string[]) =>
	without(one, other).length + without(other, one).length === 0;

/** What an edited list adds to the one in force, and what it removes. */
function ListChange({ current, list }: { current: readonly string[]; list: readonly string[] }) {
	const say = useSay();
	const [added, removed] = [without(list, current), without(current, list)];
	return (
		<>
			{added.length > 0 && <p>{say('Adds {names} to the list.', { names: added.join(', ') })}</p>}
			{removed.length > 0 && (
				<Toned tone="warn" as="p">
					{say('Removes {names} from the list.', { names: removed.join(', ') })}
				</Toned>
			)}
			{isSame(list, current) && (
				<p className="text-muted">
					{say(current.length > 0 ? 'This is the list in force.' : 'No command is on the list now.')}
				</p>
			)}
		</>
	);
}

const QUESTION = 'flex min-h-9 items-center gap-x-3 border-line border-b py-1';

const parsers = {
	/** Command patterns separated by spaces. Absent: the list in force. */
	exclude: parseAsString,
	project: parseAsString,
	session: parseAsString,
};
