'use client';
import { useMemo, useState } from 'react';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useAnswer } from '../../live/use-answer.ts';
import { useMayDecide } from '../../live/use-may-decide.ts';
import { Button } from '../../ui/button.tsx';
import { askRules } from '../ask-rules.ts';
import { ChangedVerdicts } from './changed-verdicts.tsx';
import { RejudgeForm } from './rejudge-form.tsx';
import { useRejudgeParams } from './rejudge-params.ts';
import { type Tried, triedSettings } from './tried-settings.ts';
import { useRejudge } from './use-rejudge.ts';
import { WriteSettings } from './write-settings.tsx';

const askFeatures = () => callRoute('GET /api/features');

/** What would other settings have said to what was recorded? And one click to make them so. */
export function RejudgePage() {
	const say = useSay();
	const mayAct = useMayDecide();
	const [{ exclude, project, session }, setParams] = useRejudgeParams();
	const { data: ruleList } = useAnswer(askRules);
	const { data: known } = useAnswer(askFeatures);
	const [draft, setDraft] = useState<Omit<Tried, 'exclude'>>({ gates: {}, onMismatch: '', reviews: '' });
	const [asked, setAsked] = useState<string | null>(
		exclude === null ? null : JSON.stringify(triedSettings({ ...draft, exclude })),
	);
	const [isWriting, setWriting] = useState(false);
	const tried = useMemo(() => triedSettings({ ...draft, exclude }), [draft, exclude]);
	const set = JSON.stringify(tried);
	const { answer, error } = useRejudge(
		asked === null ? null : { set: asked, ...(session ? { session } : project ? { project } : {}) },
	);
	const projects = known?.projects ?? [];
	const isAsked = asked === set;
	return (
		<div className="mx-auto flex max-w-4xl flex-col gap-4 p-4 pb-8">
			<div>
				<h1 className="font-semibold text-title">{say('What would this rule have said?')}</h1>
				<p className="text-muted">
					{say('The gates judge again what was recorded, with other settings. Nothing is changed by it.')}
				</p>
			</div>
			<RejudgeForm
				gates={ruleList?.gates ?? []}
				projects={projects}
				tried={{ ...draft, exclude }}
				place={{ project, session }}
				onScope={(place) => void setParams(place)}
				onChange={({ exclude: patterns, ...rest }) => {
					setDraft(rest);
					void setParams({ exclude: patterns });
				}}
				onAsk={() => setAsked(set)}
			/>
			{error && (
				<p role="alert" className="text-warn">
					{error}
				</p>
			)}
			{answer && (
				<>
					<ChangedVerdicts answer={answer} />
					{mayAct && isAsked && Object.keys(tried).length > 0 && (
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
