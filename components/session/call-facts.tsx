'use client';
import type { CallView } from '#lib/session/call.ts';
import { clockTime } from '#lib/time/clock.ts';
import { msBetween, spanDuration } from '#lib/time/duration.ts';
import { durationOf, grantWords, noteOf, outcomeWords, personWords } from '../story/call-words.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { DetailFact } from './detail-fact.tsx';

const decisionTone = { deny: 'err', ask: 'wait', pass: 'ok' } as const;
const decisionWord = { deny: 'denied', ask: 'asks a person', pass: 'pass' } as const;

/** Verdict, person, outcome and times of a call: four different things, never mixed. */
export function CallFacts({ call }: { call: CallView }) {
	const { word, tone } = outcomeWords(call);
	const { approval } = call;
	return (
		<dl>
			{call.verdicts.map(({ gate, rule, decision, reason, form }) => (
				<DetailFact key={`${gate} ${rule}`} name="Verdict">
					<span className={toneText[decisionTone[decision]]}>
						<span aria-hidden>{toneGlyph[decisionTone[decision]]} </span>
						<AgentText>{gate}</AgentText>: {decisionWord[decision]}
					</span>{' '}
					<span className="text-muted">
						rule <AgentText>{rule}</AgentText>
					</span>
					<AgentText className="block">{reason}</AgentText>
					{form === 'stop' && (
						<span className="block text-warn">This form ends the agent’s turn: the model never reads the reason.</span>
					)}
				</DetailFact>
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
					{approval.by && <span className="text-muted"> (by {approval.by.via})</span>}
				</DetailFact>
			)}
			{call.grant && (
				<DetailFact name="Person">
					<AgentText>{grantWords(call.grant)}</AgentText>
					<span className="text-muted">
						, {clockTime(call.grant.at)} (grant {call.grant.grantId.slice(0, 8)}, made by {call.grant.by.via})
					</span>
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

/** `gate 2 ms · hold 58 s · tool 2:11` */
function timesOf(call: CallView): string {
	const gate = call.verdicts.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
	const hold = msBetween(call.approval?.requestedAt, call.approval?.decidedAt);
	const tool = call.evidence ? durationOf(call) : undefined;
	const parts = [`started ${clockTime(call.at)}`];
	if (gate > 0) parts.push(`gate ${spanDuration(gate)}`);
	if (hold !== undefined) parts.push(`hold ${spanDuration(hold)}`);
	if (tool !== undefined) parts.push(`tool ${spanDuration(tool)}`);
	return parts.join(' · ');
}
