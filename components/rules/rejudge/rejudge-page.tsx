'use client';
import { parseAsString, useQueryStates } from 'nuqs';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayDecide } from '../../live/hub.tsx';
import { useRoute } from '../../live/use-answer.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { type Filter, FilterControl } from '../../ui/filter-control.tsx';
import { Page } from '../../ui/page.tsx';
import { Part } from '../../ui/part.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ChangedVerdicts, useRejudge } from './changed-verdicts.tsx';
import { WriteSettings } from './write-settings.tsx';

/** Tries other settings on recorded calls, and can apply them with one click. */
export function RejudgePage() {
	const say = useSay();
	const mayAct = useMayDecide();
	const [{ exclude, project, session }, setParams] = useRejudgeParams();
	const { data: known } = useRoute('GET /api/features', {});
	const [draft, setDraft] = useState<Draft>({ gates: {}, onMismatch: '', reviews: '' });
	const [submitted, setSubmitted] = useState<string | null>(
		exclude === null ? null : JSON.stringify(triedSettings(draft, exclude)),
	);
	const [isWriting, setWriting] = useState(false);
	const tried = useMemo(() => triedSettings(draft, exclude), [draft, exclude]);
	const set = JSON.stringify(tried);
	const { answer, error } = useRejudge(
		submitted === null ? null : { set: submitted, ...(session ? { session } : project ? { project } : {}) },
	);
	const projects = known?.projects ?? [];
	const current = useCurrentList();
	return (
		<Page
			title={say('Try other settings on history')}
			about={say('See what would be denied or let run, before you change it.')}
			aside={
				<TextLink href="/rules" className="order-first text-muted">
					{say('‹ Rules')}
				</TextLink>
			}
			className="max-w-4xl"
		>
			<RejudgeForm
				projects={projects}
				current={current}
				draft={draft}
				onDraft={setDraft}
				onAsk={() => setSubmitted(set)}
			/>
			{submitted === null && (
				<Examples
					onTry={(example) => {
						const patterns = [...new Set([...(current ?? []), ...example.split(' ')])].join(' ');
						void setParams({ exclude: patterns });
						setSubmitted(JSON.stringify(triedSettings(draft, patterns)));
					}}
				/>
			)}
			<Alert>{error}</Alert>
			{answer && (
				<>
					<ChangedVerdicts answer={answer} />
					{mayAct && submitted === set && Object.keys(tried).length > 0 && (
						<Button className="self-start" onClick={() => setWriting(true)}>
							{say('Write these settings…')}
						</Button>
					)}
				</>
			)}
			{isWriting && (
				<WriteSettings set={tried} projects={projects} chosen={project} onClose={() => setWriting(false)} />
			)}
		</Page>
	);
}

/** The change that empties the list; the server's preview of it tells what is in force. */
const NO_EXCLUDE = JSON.stringify({ 'commands.exclude': [] });
const CommandList = z.array(z.string());

function useCurrentList(): readonly string[] | null {
	const { data } = useRoute('GET /api/settings/change', { query: { set: NO_EXCLUDE } });
	return data && (CommandList.safeParse(data.was['commands.exclude']).data ?? []);
}

interface RejudgeFormProps {
	projects: readonly FeatureProject[];
	/** The command patterns that are in force; null until loaded. */
	current: readonly string[] | null;
	draft: Draft;
	onDraft: (draft: Draft) => void;
	onAsk: () => void;
}

/** Name of the gate switch among these settings that can be tried on history, if any. */
const switchOf = (settings: readonly string[]) =>
	settings.map((path) => /^gates\.(\w+)\.enabled$/.exec(path)?.[1]).find((name) => name !== undefined);

function RejudgeForm({ projects, current, draft, onDraft, onAsk }: RejudgeFormProps) {
	const say = useSay();
	const [{ exclude, project, session }, setParams] = useRejudgeParams();
	const { data: ruleList } = useRoute('GET /api/rules', {}, { schema: RuleList });
	const { gates: chosen, onMismatch, reviews } = draft;
	const switches = (ruleList?.gates ?? []).flatMap(({ id, settings }): Filter[] => {
		const name = switchOf(settings);
		if (name === undefined) return [];
		const { [name]: isOn, ...others } = chosen;
		return [
			{
				label: say.known(gateSentence(id)),
				value: isOn === undefined ? null : isOn ? 'on' : 'off',
				choices: (['on', 'off'] as const).map((value) => ({ value, label: say(value) })),
				onChoose: (value) =>
					onDraft({ ...draft, gates: value === null ? others : { ...others, [name]: value === 'on' } }),
			},
		];
	});
	const mismatch: Filter = {
		label: say('If a sub-agent is not in the plan'),
		value: onMismatch || null,
		choices: [
			{ value: 'deny', label: say('the call is denied') },
			{ value: 'stop', label: say('the turn ends') },
		],
		onChoose: (value) => onDraft({ ...draft, onMismatch: (value ?? '') as Draft['onMismatch'] }),
	};
	const sessions: Filter[] = [
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
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				onAsk();
			}}
			className="flex flex-col gap-3"
		>
			<div className="grid gap-x-4 gap-y-3 md:grid-cols-[minmax(0,1fr)_auto]">
				<TextField
					label={say('Commands that must not run')}
					value={exclude ?? current?.join(' ') ?? ''}
					onWrite={(patterns) => void setParams({ exclude: patterns })}
					placeholder="rm sudo git:"
					className="w-full font-mono text-mono"
				/>
				<TextField
					label={say('Most reviews of one stop')}
					placeholder={say('as it was')}
					type="number"
					min={1}
					value={reviews}
					onWrite={(most) => onDraft({ ...draft, reviews: most })}
				/>
			</div>
			<div className="flex flex-wrap items-center gap-2">
				<FilterControl filters={[...switches, mismatch]} opener={say('Change a rule')} unset={say('as it was')} />
				<FilterControl filters={sessions} />
				<Button
					type="submit"
					kind="primary"
					size="small"
					className="ml-auto"
					disabled={Object.keys(triedSettings(draft, exclude)).length === 0}
				>
					{say('Ask history')}
				</Button>
			</div>
		</form>
	);
}

const EXAMPLES = [
	['Nothing is removed, and nobody becomes root', 'rm sudo'],
	['Nothing is fetched from the network', 'curl wget'],
	['git changes nothing', 'git:'],
] as const;

/** Example lists; a click tries one. */
function Examples({ onTry }: { onTry: (patterns: string) => void }) {
	const say = useSay();
	return (
		<Part title={say('For example')} note={say('Each is added to the list that is in force.')} isList>
			{EXAMPLES.map(([words, patterns]) => (
				<li key={patterns} className="flex min-h-9 items-center gap-x-3 border-line border-b py-1">
					<span>{say(words)}</span>
					<code className="mr-auto font-mono text-mono text-muted">{patterns}</code>
					<Button size="small" aria-label={say('Try {patterns}', { patterns })} onClick={() => onTry(patterns)}>
						{say('Try')}
					</Button>
				</li>
			))}
		</Part>
	);
}

const parsers = {
	/** Command patterns separated by spaces. Absent: the list that was in force each day. */
	exclude: parseAsString,
	project: parseAsString,
	session: parseAsString,
};

const useRejudgeParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });

interface Draft {
	/** `true` or `false` by name of the gate. Gates that are not listed keep their setting. */
	gates: Readonly<Record<string, boolean>>;
	onMismatch: '' | 'stop' | 'deny';
	reviews: string;
}

/** The tried settings by full path, in the form of the server and the config file. */
function triedSettings({ gates, onMismatch, reviews }: Draft, exclude: string | null): Record<string, unknown> {
	return {
		...(exclude !== null && { 'commands.exclude': exclude.split(/[\s,]+/u).filter(Boolean) }),
		...Object.fromEntries(Object.entries(gates).map(([name, enabled]) => [`gates.${name}.enabled`, enabled])),
		...(onMismatch !== '' && { 'gates.routing.onMismatch': onMismatch }),
		...(reviews.trim() !== '' && { 'supervisor.maxIterations': Number(reviews) }),
	};
}
