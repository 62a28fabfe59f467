'use client';
import Link from 'next/link';
import { deciderWords } from '#lib/approvals/decider-words.ts';
import type { Decider } from '#lib/contract/catalogue/approval.ts';
import { UNREADABLE_PLAN_RULE } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import type { CallVerdict, CallView } from '#lib/session/call.ts';
import { durationOf, holdOf } from '#lib/session/hold.ts';
import { clockTime, dayAndTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { grantWords, holdWords, noteOf, outcomeWords, personWords } from '../row/call-words.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { DetailFact } from '../ui/detail-fact.tsx';
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
	const { word, tone } = outcomeWords(call);
	const { approval } = call;
	return (
		<dl>
			{call.verdicts.map((verdict) => (
				<VerdictFact key={`${verdict.gate} ${verdict.rule}`} verdict={verdict} />
			))}
			{call.mismatch && (
				<DetailFact name="Plan">
					<AgentText>{`expected ${call.mismatch.expected.join(', ')}; got ${call.mismatch.actual} (plan ${call.mismatch.planId})`}</AgentText>
				</DetailFact>
			)}
			{approval && (
				<DetailFact name="Person">
					<AgentText>{personWords(approval)}</AgentText>
					{approval.decidedAt && <span className="text-muted">, {clockTime(approval.decidedAt)}</span>}
					{approval.by?.name && <AgentText className="text-muted">{`, ${approval.by.name}`}</AgentText>}
					{approval.by && <WhoLink by={approval.by} />}
				</DetailFact>
			)}
			{call.grant && (
				<DetailFact name="Person">
					<AgentText>{grantWords(call.grant)}</AgentText>
					<span className="text-muted">
						, used {clockTime(call.grant.at)} (grant {call.grant.grantId.slice(0, 8)}, made by{' '}
						{deciderWords(call.grant.by)}
						{call.grant.madeAt && ` at ${clockTime(call.grant.madeAt)}`})
					</span>
					{call.grant.by.name && <AgentText className="text-muted">{`, ${call.grant.by.name}`}</AgentText>}
					<WhoLink by={call.grant.by} />
				</DetailFact>
			)}
			<DetailFact name="Outcome">
				<span className={cn(toneText[tone])}>
					<span aria-hidden>{toneGlyph[tone]} </span>
					{word}
				</span>
				{call.agentEnd?.result && <AgentText className="text-muted">{`, ${call.agentEnd.result}`}</AgentText>}
				{!approval && !call.mismatch && noteOf(call) && (
					<AgentText className="block text-muted">{noteOf(call) ?? ''}</AgentText>
				)}
			</DetailFact>
			<DetailFact name="Time">{timesOf(call)}</DetailFact>
		</dl>
	);
}

/** Sign-ins, tokens and passkeys are told apart on the access page, by the characters that a decision names. */
function WhoLink({ by }: { by: Decider }) {
	return (
		<Link
			href={by.access === undefined ? '/access' : `/access?who=${by.access}`}
			prefetch={false}
			className="block w-fit text-accent hover:underline"
		>
			Who that is
		</Link>
	);
}

function VerdictFact({ verdict }: { verdict: CallVerdict }) {
	const { gate, rule, reason, form } = verdict;
	const { tone, word } = lookOf(verdict);
	return (
		<DetailFact name="Verdict">
			<span className={toneText[tone]}>
				<span aria-hidden>{toneGlyph[tone]} </span>
				<AgentText>{gate}</AgentText>: {word}
			</span>{' '}
			<span className="text-muted">
				rule <AgentText>{rule}</AgentText>
			</span>
			<AgentText className="block">{reason}</AgentText>
			{form === 'stop' && (
				<span className="block text-warn">This form ends the agent’s turn: the model never reads the reason.</span>
			)}
		</DetailFact>
	);
}

/** `gate 2 ms · hold 58 s · tool 2:11` */
function timesOf(call: CallView): string {
	const gate = call.verdicts.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
	const hold = holdOf(call);
	const tool = call.evidence ? durationOf(call) : undefined;
	const parts = [`started ${dayAndTime(call.at)}`];
	if (gate > 0) parts.push(`gate ${spanDuration(gate)}`);
	if (hold) parts.push(`hold ${holdWords(hold)}`);
	if (tool !== undefined) parts.push(`tool ${spanDuration(tool)}`);
	return parts.join(' · ');
}
