'use client';
import { deniedName, personWords } from '#lib/approvals/call-words.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Say } from '#lib/messages/say.ts';
import { ruleCounts } from '#lib/session/call.ts';
import { clockTime } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useCan } from '../../live/hub.tsx';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { ReviewList } from '../supervisor/review-list.tsx';
import { SupervisorSwitch } from '../supervisor/supervisor-switch.tsx';
import { AssessmentOf } from '../validators/assessment-of.tsx';

/** Assessments that are shown whole; each is asked for. */
const CARDS = 10;

/** What supervisor, validators and gates said over time, in full, and how often people overrode each rule. */
export function VerdictsTab({ view }: { view: SessionView }) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const rows = useSession(view.sessionId, ({ window }) => window.rows) ?? [];
	const calls = rows.flatMap(({ call }) => (call?.verdicts.some(({ decision }) => decision !== 'pass') ? [call] : []));
	const assessments = rows.filter(({ type }) => type === 'validator:assessment');
	const mayReview = useCan('POST /api/sessions/:id/supervisor') && isLive;
	const rules = ruleCounts(rows.flatMap(({ call }) => (call ? [call] : [])));
	return (
		<section aria-label={say('Verdicts')} className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto p-4">
			{rules.length + calls.length + assessments.length + view.supervisor.length === 0 && (
				<p className="text-muted">{say('Nothing was judged yet: no gate objected, and nobody reviewed.')}</p>
			)}
			{rules.length > 0 && (
				<div>
					<h2 className="pb-1 font-semibold">{say('Rules that denied')}</h2>
					<table className="text-left">
						<thead>
							<tr className="text-muted text-small">
								<th className="pr-6 font-normal">{say('Rule')}</th>
								<th className="pr-6 text-right font-normal">{say('Denied')}</th>
								<th className="text-right font-normal">{say('Overridden')}</th>
							</tr>
						</thead>
						<tbody>
							{rules.map(({ rule, denied, overridden }) => (
								<tr key={rule}>
									<td className="pr-6 font-mono text-mono">
										<AgentText>{rule}</AgentText>
									</td>
									<td className="pr-6 text-right">{denied}</td>
									<td className="text-right">{overridden}</td>
								</tr>
							))}
						</tbody>
					</table>
				</div>
			)}
			{(view.supervisor.length > 0 || mayReview) && (
				<div>
					<h2 className="pb-1 font-semibold">{say('Supervisor')}</h2>
					{mayReview && <SupervisorSwitch view={view} />}
					{view.supervisor.length > 0 && <ReviewList view={view} />}
				</div>
			)}
			{assessments.length > 0 && (
				<div>
					<h2 className="pb-1 font-semibold">{say('Validators')}</h2>
					<ul className="flex flex-col gap-2">
						{assessments.slice(-CARDS).map(({ key }) => (
							<li key={key}>
								<AssessmentOf sessionId={view.sessionId} assessmentId={key.slice('event:'.length)} />
							</li>
						))}
					</ul>
					{assessments.length > CARDS && (
						<p className="pt-1 text-muted">
							{say('The last {shown} of {all}; the others stand in the story.', {
								shown: CARDS,
								all: assessments.length,
							})}
						</p>
					)}
				</div>
			)}
			{calls.length > 0 && (
				<div>
					<h2 className="pb-1 font-semibold">{say('Gates')}</h2>
					<ol>
						{calls.map((call) => (
							<Line
								key={call.toolUseId}
								at={call.at}
								rowKey={`call:${call.toolUseId}`}
								word={gateWord(call, say)}
								isBad
								text={gateText(call, say)}
							/>
						))}
					</ol>
				</div>
			)}
		</section>
	);
}

const objection = (call: CallView) => call.verdicts.find(({ decision }) => decision !== 'pass');
const gateWord = (call: CallView, say: Say) =>
	`${objection(call)?.gate ?? ''} ${say(objection(call)?.decision === 'deny' ? 'denied' : 'asked')}`;
const gateText = (call: CallView, say: Say) =>
	[deniedName(call), objection(call)?.reason, call.approval && personWords(call.approval, say)]
		.filter(Boolean)
		.join(' · ');

function Line(props: { at: string; rowKey: string; word: string; isBad: boolean; text: string }) {
	const say = useSay();
	const [, setParams] = useSessionParams();
	return (
		<li className="flex flex-wrap gap-x-3 border-line border-t py-1 md:flex-nowrap">
			<span className="font-mono text-mono text-muted">{clockTime(props.at)}</span>
			<AgentText className={props.isBad ? 'text-err' : 'text-ok'}>{props.word}</AgentText>
			<AgentText className="order-last min-w-0 basis-full [overflow-wrap:anywhere] md:order-none md:flex-1 md:basis-0">
				{props.text}
			</AgentText>
			<Button
				kind="quiet"
				size="small"
				className="ml-auto text-accent"
				onClick={() => void setParams({ row: props.rowKey })}
			>
				{say('Show')}
			</Button>
		</li>
	);
}
