'use client';
import { parseAsString, useQueryStates } from 'nuqs';
import { type FormEvent, useMemo, useState } from 'react';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayDecide } from '../../live/hub.tsx';
import { useRoute } from '../../live/use-answer.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { ChangedVerdicts, useRejudge } from './changed-verdicts.tsx';
import { WriteSettings } from './write-settings.tsx';

/** What would other settings have said to what was recorded? And one click to make them so. */
export function RejudgePage() {
	const say = useSay();
	const mayAct = useMayDecide();
	const [{ exclude, project, session }, setParams] = useRejudgeParams();
	const { data: ruleList } = useRoute('GET /api/rules', {}, { schema: RuleList });
	const { data: known } = useRoute('GET /api/features', {});
	const [draft, setDraft] = useState<Omit<Tried, 'exclude'>>({ gates: {}, onMismatch: '', reviews: '' });
	const [submitted, setSubmitted] = useState<string | null>(
		exclude === null ? null : JSON.stringify(triedSettings({ ...draft, exclude })),
	);
	const [isWriting, setWriting] = useState(false);
	const tried = useMemo(() => triedSettings({ ...draft, exclude }), [draft, exclude]);
	const set = JSON.stringify(tried);
	const { answer, error } = useRejudge(
		submitted === null ? null : { set: submitted, ...(session ? { session } : project ? { project } : {}) },
	);
	const projects = known?.projects ?? [];
	const isSubmitted = submitted === set;
	return (
		<div className="mx-auto flex max-w-4xl flex-col gap-4 p-4 pb-8">
			<div>
				<h1 className="font-semibold text-title">{say('Try other settings on history')}</h1>
				<p className="text-muted">
					{say('The rules judge again what was recorded. Nothing changes until you write the settings.')}
				</p>
			</div>
			<RejudgeForm
				gates={ruleList?.gates ?? []}
				projects={projects}
				tried={{ ...draft, exclude }}
				scope={{ project, session }}
				onScope={(scope) => void setParams(scope)}
				onChange={({ exclude: patterns, ...rest }) => {
					setDraft(rest);
					void setParams({ exclude: patterns });
				}}
				onAsk={() => setSubmitted(set)}
			/>
			<Alert>{error}</Alert>
			{answer && (
				<>
					<ChangedVerdicts answer={answer} />
					{mayAct && isSubmitted && Object.keys(tried).length > 0 && (
						<div className="flex gap-2">
							<Button onClick={() => setWriting(true)}>{say('Write these settings…')}</Button>
						</div>
					)}
				</>
			)}
			{isWriting && (
				<WriteSettings set={tried} projects={projects} chosen={project} onClose={() => setWriting(false)} />
			)}
		</div>
	);
}

interface RejudgeScope {
	project: string | null;
	session: string | null;
}

interface RejudgeFormProps {
	gates: RuleList['gates'];
	projects: readonly FeatureProject[];
	tried: Tried;
	scope: RejudgeScope;
	onScope: (scope: RejudgeScope) => void;
	onChange: (tried: Tried) => void;
	onAsk: () => void;
}

const field = 'h-7 rounded border border-edge bg-surface px-2 placeholder:text-muted pointer-coarse:h-10';

const setting = 'flex min-h-8 min-w-0 items-center justify-between gap-2 border-line border-b';

/** The name of a gate's switch, where it has one that history can be asked about. */
const switchOf = (settings: readonly string[]) =>
	settings.map((path) => /^gates\.(\w+)\.enabled$/.exec(path)?.[1]).find((name) => name !== undefined);

function RejudgeForm({ gates, projects, tried, scope, onScope, onChange, onAsk }: RejudgeFormProps) {
	const say = useSay();
	const { exclude, gates: chosen, onMismatch, reviews } = tried;
	function ask(event: FormEvent) {
		event.preventDefault();
		onAsk();
	}
	function choose(name: string, value: string) {
		const { [name]: _before, ...others } = chosen;
		onChange({ ...tried, gates: value === '' ? others : { ...others, [name]: value === 'on' } });
	}
	return (
		<form onSubmit={ask} className="flex flex-col gap-3">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<Select
					label={say('Which sessions')}
					value={scope.project ?? ''}
					onChoose={(project) => onScope({ project: project || null, session: null })}
					choices={[
						{ value: '', label: scope.session ? say('one session') : say('all sessions') },
						...projects.map(({ id, name }) => ({ value: id, label: name })),
					]}
				/>
				{scope.session && <AgentText className="font-mono text-mono">{scope.session}</AgentText>}
			</div>
			<label className="flex flex-col gap-1">
				<span>
					{say('Commands that must not run')} <code className="font-mono text-mono text-muted">commands.exclude</code>
				</span>
				<input
					value={exclude ?? ''}
					onChange={(event) => onChange({ ...tried, exclude: event.target.value || null })}
					placeholder="rm sudo git:"
					className={`${field} font-mono text-mono`}
				/>
			</label>
			<fieldset className="grid gap-x-8 md:grid-cols-2">
				<legend className="sr-only">{say('Rules')}</legend>
				{gates.map(({ id, settings }) => {
					const name = switchOf(settings);
					if (name === undefined) return null;
					return (
						<span key={id} className={setting}>
							<span aria-hidden>{say.known(gateSentence(id))}</span>
							<Select
								label={say.known(gateSentence(id))}
								value={chosen[name] === undefined ? '' : chosen[name] ? 'on' : 'off'}
								onChoose={(value) => choose(name, value)}
								choices={[
									{ value: '', label: say('as it was') },
									{ value: 'on', label: say('on') },
									{ value: 'off', label: say('off') },
								]}
							/>
						</span>
					);
				})}
				<span className={setting}>
					<span aria-hidden>{say('If a sub-agent is not in the plan')}</span>
					<Select
						label={say('If a sub-agent is not in the plan')}
						value={onMismatch}
						onChoose={(value) => onChange({ ...tried, onMismatch: value as Tried['onMismatch'] })}
						choices={[
							{ value: '', label: say('as it was') },
							{ value: 'deny', label: say('the call is denied') },
							{ value: 'stop', label: say('the turn ends') },
						]}
					/>
				</span>
				<label className={setting}>
					{say('Reviews of one stop at most')}
					<input
						type="number"
						min={1}
						value={reviews}
						onChange={(event) => onChange({ ...tried, reviews: event.target.value })}
						className={`${field} w-20`}
					/>
				</label>
			</fieldset>
			<div>
				<Button type="submit" kind="primary">
					{say('Ask history')}
				</Button>
			</div>
		</form>
	);
}

const parsers = {
	/** Patterns of commands, with spaces between; absent leaves each day's own list. */
	exclude: parseAsString,
	project: parseAsString,
	session: parseAsString,
};

const useRejudgeParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });

interface Tried {
	/** Patterns with spaces between; null leaves each day's own list. */
	exclude: string | null;
	/** `true` or `false` by the gate's setting; what is not in it stays as it was. */
	gates: Readonly<Record<string, boolean>>;
	onMismatch: '' | 'stop' | 'deny';
	reviews: string;
}

/** The settings by their whole path, as the server and the config file take them. */
function triedSettings({ exclude, gates, onMismatch, reviews }: Tried): Record<string, unknown> {
	return {
		...(exclude !== null && { 'commands.exclude': exclude.split(/[\s,]+/u).filter(Boolean) }),
		...Object.fromEntries(Object.entries(gates).map(([name, enabled]) => [`gates.${name}.enabled`, enabled])),
		...(onMismatch !== '' && { 'gates.routing.onMismatch': onMismatch }),
		...(reviews.trim() !== '' && { 'supervisor.maxIterations': Number(reviews) }),
	};
}
