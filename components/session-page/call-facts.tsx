'use client';
import Link from 'next/link';
import { deciderWords, grantWords, holdWords, noteOf, outcomeWords, personWords } from '#lib/approvals/call-words.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { CallVerdict, CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import { UNREADABLE_PLAN_RULE } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import type { Say } from '#lib/messages/say.ts';
import { durationOf, holdOf } from '#lib/session/call.ts';
import { clockTime, dayAndTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { DetailFact } from '../ui/detail-fact.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';

const decisionLook = {
	deny: { tone: 'err', word: 'denied' },
	ask: { tone: 'wait', word: 'asks a person' },
	pass: { tone: 'ok', word: 'pass' },
} as const;

/** A pass because the gate could not judge is no green light. */
function lookOf({ decision, rule }: CallVerdict) {
	if (rule === UNREADABLE_PLAN_RULE) return { tone: 'warn', word: 'not judged, let pass' } as const;
	return decisionLook[decision];
}

/** Verdict, person, outcome and times of a call: four different things, never mixed. */
export function CallFacts({ call }: { call: CallView }) {
	const say = useSay();
	const { word, tone } = outcomeWords(call);
	const { approval } = call;
	const note = noteOf(call, say);
	return (
		<dl>
			{call.verdicts.map((verdict) => (
				<VerdictFact key={`${verdict.gate} ${verdict.rule}`} verdict={verdict} />
			))}
			{call.mismatch && (
				<DetailFact name={say('Plan')}>
					<AgentText>
						{say('expected {agents}; got {actual} (plan {planId})', {
							agents: call.mismatch.expected.join(', '),
							actual: call.mismatch.actual,
							planId: call.mismatch.planId,
						})}
					</AgentText>
				</DetailFact>
			)}
			{approval && (
				<DetailFact name={say('Person')}>
					<AgentText>{personWords(approval, say)}</AgentText>
					{approval.decidedAt && <span className="text-muted">, {clockTime(approval.decidedAt)}</span>}
					{approval.by?.name && <AgentText className="text-muted">{`, ${approval.by.name}`}</AgentText>}
					{approval.by && <WhoLink by={approval.by} />}
				</DetailFact>
			)}
			{call.grant && (
				<DetailFact name={say('Person')}>
					<AgentText>{grantWords(call.grant, say)}</AgentText>
					<span className="text-muted">{madeWords(call.grant, say)}</span>
					{call.grant.by.name && <AgentText className="text-muted">{`, ${call.grant.by.name}`}</AgentText>}
					<WhoLink by={call.grant.by} />
				</DetailFact>
			)}
			<DetailFact name={say('Outcome')}>
				<span className={cn(toneText[tone])}>
					<span aria-hidden>{toneGlyph[tone]} </span>
					{say(word)}
				</span>
				{call.agentEnd?.result && <AgentText className="text-muted">{`, ${call.agentEnd.result}`}</AgentText>}
				{!approval && !call.mismatch && note && <AgentText className="block text-muted">{note}</AgentText>}
			</DetailFact>
			<DetailFact name={say('Time')}>{timesOf(call, say)}</DetailFact>
		</dl>
	);
}

/** `, used 12:31:05 (grant 3fa2b1c0, made by browser 5e6f at 12:30:00)` */
function madeWords({ at, grantId, by, madeAt }: NonNullable<CallView['grant']>, say: Say): string {
	const told = { time: clockTime(at), grant: grantId.slice(0, 8), who: deciderWords(by, say) };
	return madeAt
		? say(', used {time} (grant {grant}, made by {who} at {made})', { ...told, made: clockTime(madeAt) })
		: say(', used {time} (grant {grant}, made by {who})', told);
}

/** Sign-ins, tokens and passkeys are told apart on the access page, by the characters that a decision names. */
function WhoLink({ by }: { by: Decider }) {
	const say = useSay();
	return (
		<Link
			href={by.access === undefined ? '/access' : `/access?who=${by.access}`}
			prefetch={false}
			className="block w-fit text-accent hover:underline"
		>
			{say('Who that is')}
		</Link>
	);
}

function VerdictFact({ verdict }: { verdict: CallVerdict }) {
	const say = useSay();
	const { gate, rule, reason, form } = verdict;
	const { tone, word } = lookOf(verdict);
	return (
		<DetailFact name={say('Verdict')}>
			<span className={toneText[tone]}>
				<span aria-hidden>{toneGlyph[tone]} </span>
				<AgentText>{gate}</AgentText>: {say(word)}
			</span>{' '}
			<span className="text-muted">
				<Phrase of="rule {rule}" with={{ rule: <AgentText>{rule}</AgentText> }} />
			</span>
			<AgentText className="block">{reason}</AgentText>
			{form === 'stop' && (
				<span className="block text-warn">
					{say('This form ends the agent’s turn: the model never reads the reason.')}
				</span>
			)}
		</DetailFact>
	);
}

/** `gate 2 ms · hold 58 s · tool 2:11` */
function timesOf(call: CallView, say: Say): string {
	const gate = call.verdicts.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
	const hold = holdOf(call);
	const tool = call.evidence ? durationOf(call) : undefined;
	const parts = [say('started {time}', { time: dayAndTime(call.at) })];
	if (gate > 0) parts.push(say('gate {time}', { time: spanDuration(gate, say.language) }));
	if (hold) parts.push(say('hold {time}', { time: holdWords(hold, say) }));
	if (tool !== undefined) parts.push(say('tool {time}', { time: spanDuration(tool, say.language) }));
	return parts.join(' · ');
}
