'use client';
import { parseAsString, useQueryStates } from 'nuqs';
import { type ReactNode, useMemo, useState } from 'react';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { parsedJson } from '#lib/json/json.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayDecide } from '../../live/hub.tsx';
import { useRoute } from '../../live/use-answer.ts';
import { Alert, AnswerPending } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Fold, Part } from '../../ui/part.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';
import { deniedWords, EXCLUDE, listInForce, useLately } from '../rule-table.tsx';
import { ChangedVerdicts, useRejudge } from './changed-verdicts.tsx';
import { WriteSettings } from './write-settings.tsx';

const MISMATCH = 'gates.routing.onMismatch';
const REVIEWS = 'supervisor.maxIterations';
const EXAMPLES = ['git', 'curl wget', 'rm sudo'];

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
	const request = { set: submitted, base: JSON.stringify({ [EXCLUDE]: current }) };
	const { answer, error } = useRejudge(
		submitted === NOTHING ? null : { ...request, ...(session ? { session } : project ? { project } : {}) },
	);
	const projects = known?.projects ?? [];
	function change(path: string, value: unknown, inForce: unknown) {
		const { [path]: _, ...others } = draft;
		const next = value === inForce ? others : { ...others, [path]: value };
		setDraft(next);
		return next;
	}
	const hasRun = submitted !== NOTHING;
	const commands = [
		...EXAMPLES.map((names) => [say('Deny'), names, [...new Set([...list, ...names.split(' ')])]] as const),
		...current.map((name) => [say('Allow'), name, without(list, [name])] as const),
	];
	return (
		<Page
			title={say('Try other settings on history')}
			about={say('Recorded calls are judged again with these settings. Nothing changes until you save them.')}
			aside={
				<TextLink href="/rules" className="order-first text-muted">
					{say('‹ Rules')}
				</TextLink>
			}
		>
			<div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
				<div className="flex min-w-0 flex-col gap-4">
					<Alert>{error}</Alert>
					{answer && <ChangedVerdicts answer={answer} gates={gates} />}
					{answer && mayAct && submitted === set && (
						<Button kind="primary" className="self-start" onClick={() => setWriting(true)}>
							{say('Save these settings…')}
						</Button>
					)}
					<Fold title={say('Try something else')} isOpen={!hasRun} titleClassName={hasRun ? undefined : 'hidden'}>
						<Part title={say('Deny or allow a command')} isList>
							{commands.map(([words, names, wished]) => (
								<Question
									key={names}
									words={
										<>
											{words} <code className="font-mono text-mono">{names}</code>
										</>
									}
									name={names}
									isTried={hasRun && submitted === settingsOf(wished)}
									onTry={() => {
										void setParams({ exclude: wished.join(' ') });
										setSubmitted(settingsOf(wished));
									}}
								/>
							))}
						</Part>
						<Part title={say('Switch a rule on or off')} isList className="pt-6">
							{gates
								.filter(({ isRehearsed, values }) => isRehearsed && !(EXCLUDE in values && current.length === 0))
								.map(({ id, enabled, denies, switch: path }) => {
									const isOn = enabled !== false;
									const isTried = path in draft;
									const rule = say.known(gateSentence(id));
									return (
										<Question
											key={id}
											words={say(isOn ? 'Switch off: {rule}' : 'Switch on: {rule}', { rule })}
											note={deniedWords(Object.keys(denies), lately, say)}
											name={rule}
											isTried={isTried}
											onTry={() => setSubmitted(settingsOf(list, change(path, isTried ? isOn : !isOn, isOn)))}
										/>
									);
								})}
						</Part>
					</Fold>
				</div>
				<form
					onSubmit={(event) => {
						event.preventDefault();
						setSubmitted(set);
					}}
					className="flex min-w-0 flex-col gap-3 lg:border-line lg:border-l lg:pl-8"
				>
					<h2 className="font-semibold">{say(hasRun ? 'The settings tried' : 'Or set your own')}</h2>
					<TextField
						label={say('Commands that must not run')}
						value={exclude ?? current.join(' ')}
						onWrite={(names) => void setParams({ exclude: names })}
						className="w-full font-mono text-mono"
					/>
					<ListChange current={current} list={list} />
					<div className="flex flex-col gap-1">
						<span aria-hidden>{say('If a sub-agent is not in the plan')}</span>
						<Choice
							label={say('If a sub-agent is not in the plan')}
							value={String(draft[MISMATCH] ?? '')}
							choices={[
								{ value: '', label: say('unchanged') },
								mismatch === 'deny'
									? { value: 'stop', label: say('the turn ends') }
									: { value: 'deny', label: say('the call is denied') },
							]}
							onChoose={(next) => change(MISMATCH, next || mismatch, mismatch)}
						/>
					</div>
					<TextField
						label={say('Reviews before an agent may stop')}
						placeholder={say('unchanged')}
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
					<Button type="submit" kind={set === submitted ? 'plain' : 'primary'} disabled={set === NOTHING}>
						{say('Run on history')}
					</Button>
				</form>
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
			{added.length > 0 && (
				<p className="text-muted">{say('Adds {names} to the list.', { names: added.join(', ') })}</p>
			)}
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

interface QuestionProps {
	words: ReactNode;
	note?: string;
	/** Names it for who cannot see the row. */
	name: string;
	isTried: boolean;
	onTry: () => void;
}

function Question({ words, note, name, isTried, onTry }: QuestionProps) {
	const say = useSay();
	return (
		<li className="border-line border-b">
			<button
				type="button"
				aria-label={say('Try {patterns}', { patterns: name })}
				aria-pressed={isTried}
				onClick={onTry}
				className="flex min-h-9 w-full items-center gap-x-3 text-left hover:bg-hover aria-pressed:bg-selected pointer-coarse:min-h-11"
			>
				<span className="min-w-0 flex-1">{words}</span>
				<span className="text-muted text-small tabular-nums">{note}</span>
				<span aria-hidden className="text-muted">
					{isTried ? '✓' : '›'}
				</span>
			</button>
		</li>
	);
}

const parsers = {
	/** Command patterns separated by spaces. Absent: the list in force. */
	exclude: parseAsString,
	project: parseAsString,
	session: parseAsString,
};
