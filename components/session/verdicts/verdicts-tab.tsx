import { decisionWords, deniedName, objectionWords, outcomeWords } from '#lib/approvals/call-words.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionView, SupervisorView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { SupervisorActionBody } from '#lib/contract/sessions/session-actions.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import type { Plain } from '#lib/messages/say.ts';
import { objections } from '#lib/session/call.ts';
import { reviewLook } from '#lib/session/judgement.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { rowKeyOfApproval } from '../../approvals/call-details.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useCan, useMayAct } from '../../live/hub.tsx';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useNow } from '../../live/now.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { useAction } from '../../live/use-action.ts';
import { useRoute } from '../../live/use-answer.ts';
import { rowAddress } from '../../row/addresses.ts';
import { RowButton } from '../../row/session-lines.tsx';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Part } from '../../ui/part.tsx';
import { Advice } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';
import { AssessmentOf } from '../validators/assessment-card.tsx';

/** The newest assessments; the others are in the story. */
const CARDS = 10;

export function VerdictsTab({ view }: { view: SessionView }) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const rows = useSession(view.sessionId, ({ window }) => window.rows) ?? [];
	const gates = objections(rows.flatMap(({ call }) => (call ? [call] : [])));
	const assessments = rows.filter(({ type }) => type === 'validator:assessment');
	const mayReview = useCan('supervisor') && isLive;
	const reviews = view.supervisor;
	const ruleLink = <TextLink href="/rules">{say('Rule')}</TextLink>;
	const aside = mayReview ? <SupervisorSwitch view={view} /> : ruleLink;
	return (
		<section
			aria-label={say('Verdicts')}
			className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto p-4 *:mx-auto *:w-full *:max-w-5xl"
		>
			<Headline reviews={reviews} calls={gates.flatMap(({ calls }) => calls)} />
			{gates.length + assessments.length + reviews.length === 0 && (
				<p className="text-muted">{say('Nothing was judged yet: no gate objected, and nobody reviewed.')}</p>
			)}
			{reviews.length > 0 && (
				<Part title={say.known(gateSentence('supervisor'))} aside={aside}>
					<ol aria-label={say('Reviews')}>
						{reviews.map((review) => (
							<Review key={review.reviewId ?? review.seq} review={review} view={view} />
						))}
					</ol>
				</Part>
			)}
			{gates.map(({ gate, calls }) => (
				<Part key={gate} title={visibleString(say.known(gateSentence(gate)))} aside={ruleLink}>
					<ol>
						{calls.map((call) => (
							<Line key={call.toolUseId} call={call} gate={gate} folder={view.cwd ?? null} />
						))}
					</ol>
				</Part>
			))}
			{assessments.length > 0 && (
				<Part title={say('Validators')} count={assessments.length}>
					<ul className="flex flex-col gap-2">
						{assessments.slice(-CARDS).map(({ key }) => (
							<li key={key}>
								<AssessmentOf sessionId={view.sessionId} assessmentId={key.slice('event:'.length)} />
							</li>
						))}
					</ul>
				</Part>
			)}
			{reviews.length === 0 && mayReview && !view.ended && !view.lost && (
				<div className="flex flex-wrap items-center gap-x-4 text-muted">
					{say.known(gateSentence('supervisor'))}
					<SupervisorSwitch view={view} />
				</div>
			)}
		</section>
	);
}

/** What came of all verdicts, in one line. */
function Headline({ reviews, calls }: { reviews: readonly SupervisorView[]; calls: readonly CallView[] }) {
	const say = useSay();
	const now = useNow();
	const last = reviews.at(-1);
	const { word, tone } = last ? reviewLook(last, now) : { word: undefined, tone: 'plain' as const };
	if (reviews.length + calls.length < 2) return null;
	const denied = calls.filter((call) => outcomeWords(call).word === 'denied').length;
	const approved = calls.length - denied;
	return (
		<h2 className="-mb-3 flex flex-wrap gap-x-4 font-semibold text-page empty:hidden">
			{word && (
				<Toned tone={tone}>
					{say('{word} after {count} {count:review|reviews}', { word: say(word), count: reviews.length })}
				</Toned>
			)}
			{denied > 0 && <Toned tone="err">{say('{count} {count:call|calls} denied', { count: denied })}</Toned>}
			{approved > 0 && <Toned tone="warn">{say('{count} approved', { count: approved })}</Toned>}
		</h2>
	);
}

/** A verdict: how it ended, what was said and of what, when. On phones what was said is below. */
const LINE =
	'grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 gap-y-1 border-line border-t py-2 md:grid-cols-[10rem_minmax(0,1fr)_auto]';
const SAID = 'min-w-0 [&_p]:my-0 [overflow-wrap:anywhere] max-md:col-span-full max-md:row-start-2';
const WHEN = 'flex items-baseline gap-x-3 whitespace-nowrap text-muted *:[a,button]:-my-2.5';

function Line({ call, gate, folder }: { call: CallView; gate: string; folder: string | null }) {
	const say = useSay();
	const { word, tone } = outcomeWords(call);
	const objection = call.verdicts.find((each) => each.gate === gate && each.decision !== 'pass');
	return (
		<li title={visibleString(objection?.rule ?? '')} className={LINE}>
			<Toned tone={tone} className="font-medium">
				{say(word)}
			</Toned>
			<div className={SAID}>
				<AgentText className="block">{deniedName(call, folder)}</AgentText>
				{call.approval && <AgentText className="block">{decisionWords(call.approval, say)}</AgentText>}
				<AgentText className="block text-muted">{objectionWords(call, objection?.reason ?? '', say)}</AgentText>
			</div>
			<span className={WHEN}>
				<RowButton row={`call:${call.toolUseId}`}>{say('Show')}</RowButton>
				<time dateTime={call.at}>{clockTime(call.at)}</time>
			</span>
		</li>
	);
}

const subjects: ReadonlyMap<string, Plain> = new Map([
	['Stop', 'stop'],
	['PreToolUse', 'question'],
]);

function Review({ review, view }: { review: SupervisorView; view: SessionView }) {
	const say = useSay();
	const now = useNow();
	const { at, hook, feedback, iteration, durationMs, error, toolUseId, reviewer } = review;
	const { word, tone, isRunning } = reviewLook(review, now);
	const subject = subjects.get(hook);
	const open = isRunning
		? view.approvals.find((each) => each.state === 'waiting' && each.review?.iteration === iteration)
		: undefined;
	const row = open ? rowKeyOfApproval(open) : toolUseId && `call:${toolUseId}`;
	return (
		<li className={LINE}>
			<div>
				<Toned tone={tone} className="font-medium">
					{say(word)}
				</Toned>{' '}
				<AgentText className="sr-only">{subject === undefined ? hook : say(subject)}</AgentText>{' '}
				<span className="text-muted">{say('review {iteration}', { iteration })}</span>
			</div>
			<div className={SAID}>
				{error && <AgentText className="block text-err">{say('Why: {error}', { error })}</AgentText>}
				{feedback && <LazyMarkdown keepsLines>{feedback}</LazyMarkdown>}
			</div>
			<span className={WHEN}>
				{reviewer && <TextLink href={rowAddress(reviewer)}>{say('What it did')}</TextLink>}
				{row && <RowButton row={row}>{open ? say('Decide') : say('Show')}</RowButton>}
				{isRunning && <LiveDuration className="text-run" from={at} />}
				{durationMs !== undefined && <span>{spanDuration(durationMs, say.language)}</span>}
				<time dateTime={at}>{clockTime(at)}</time>
			</span>
		</li>
	);
}

function SupervisorSwitch({ view }: { view: SessionView }) {
	const say = useSay();
	const mayAct = useMayAct('supervisor');
	const switches = view.supervisorSwitches ?? 0;
	const { record, refusal, isBusy, act } = useSupervisor(view.sessionId, `${switches} ${view.supervisor.length}`);
	// Of a session that is over "off" says nothing about the reviews that took place.
	if ((view.ended || view.lost) && record && !record.enabled && record.count === 0) return null;
	return (
		<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
			{record && (
				<p>
					<span className={record.enabled ? 'text-ok' : ''}>
						{record.enabled ? `✓ ${say('on')}` : `○ ${say('off')}`}
					</span>
					{(record.enabled || record.count > 0) && (
						<span className="text-muted">
							{' '}
							· {say('{count} of {max} reviews used', { count: record.count, max: record.max })}
							{record.count >= record.max && say('; the agent may stop unreviewed until the count is reset')}
						</span>
					)}
				</p>
			)}
			{record && mayAct && (
				<span className="flex gap-2">
					<Button size="small" disabled={isBusy} onClick={() => void act(record.enabled ? 'off' : 'on')}>
						{record.enabled ? say('Turn off') : say('Turn on')}
					</Button>
					{record.count > 0 && (
						<Button size="small" disabled={isBusy} onClick={() => void act('reset')}>
							{say('Reset count')}
						</Button>
					)}
				</span>
			)}
			{record?.advice !== undefined && (
				<p role="status" className="text-warn [overflow-wrap:anywhere]">
					<Advice>{record.advice}</Advice>
				</p>
			)}
			<Alert>{refusal}</Alert>
		</div>
	);
}

/** Supervisor status of a live session, reloaded when `version` changes, and a function that switches it. */
function useSupervisor(sessionId: string, version: unknown) {
	const params = { id: sessionId };
	const { data, error, reload } = useRoute('GET /api/sessions/:id/supervisor', { params }, { version });
	const { isBusy, refusal, run } = useAction();
	async function act(action: SupervisorActionBody['action']): Promise<void> {
		await run(callRoute('POST /api/sessions/:id/supervisor', { params, body: { action } }));
		reload();
	}
	return { record: data?.supervisor ?? null, refusal: refusal ?? error, isBusy, act };
}
