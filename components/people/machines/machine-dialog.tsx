'use client';
import Link from 'next/link';
import type { HubEdge } from '#lib/contract/hub/edges.ts';
import { clockOrDate, endTime } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useNow } from '../../live/now.ts';
import { cn } from '../../ui/cn.ts';
import { DetailFact } from '../../ui/detail-fact.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';
import { MachineActions } from './machine-actions.tsx';
import { behindWords, clockWords, groupLooks, groupOf, levels } from './machine-looks.ts';
import { QuarantineHelp } from './quarantine-help.tsx';

interface MachineDialogProps {
	edge: HubEdge;
	/** It stands in another way now. */
	onChange: () => void;
	onClose: () => void;
}

/** All that is known of one machine, and what an admin may do about it. */
export function MachineDialog({ edge, onChange, onClose }: MachineDialogProps) {
	const say = useSay();
	const now = useNow();
	const { id, name, team, joinedAt, seenAt, level, version, labels } = edge;
	const group = groupOf(edge);
	const { word, tone } = groupLooks[group];
	const sessions = new URLSearchParams({ machine: name, team }).toString();
	return (
		<Dialog title={name} open onOpenChange={(stays) => !stays && onClose()}>
			<dl className="p-4 pb-2">
				<DetailFact name={say('State')}>
					<span className={cn(toneText[tone])}>
						<span aria-hidden>{toneGlyph[tone]} </span>
						{say(word)}
					</span>
					{group === 'away' && seenAt !== null && (
						<span className="text-muted">
							{', '}
							{say('heard of last {time}', { time: endTime(seenAt, now, say.language) })}
						</span>
					)}
				</DetailFact>
				<DetailFact name={say('Team')}>
					<AgentText>{team}</AgentText>
				</DetailFact>
				<DetailFact name={say('Number')}>{id}</DetailFact>
				<DetailFact name={say('Joined')}>
					<time dateTime={joinedAt}>{clockOrDate(joinedAt, now, say.language)}</time>
				</DetailFact>
				<DetailFact name={say('Sent')}>{behindWords(edge, say)?.words ?? say('not told')}</DetailFact>
				<DetailFact name={say('Clock')}>{clockWords(edge, say) ?? say('as the hub’s')}</DetailFact>
				<DetailFact name={say('Level')}>
					{levels[level].name}: {say(levels[level].means)}
				</DetailFact>
				<DetailFact name={say('Signalbox')}>
					{version === null ? say('not told') : <AgentText>{version}</AgentText>}
				</DetailFact>
				{labels.length > 0 && (
					<DetailFact name={say('Labels')}>
						<AgentText>{labels.join(', ')}</AgentText>
					</DetailFact>
				)}
				<DetailFact name={say('Sessions')}>
					<Link href={`/?${sessions}`} className="text-accent underline">
						{say('Those of this machine')}
					</Link>
				</DetailFact>
			</dl>
			{group === 'quarantined' && <QuarantineHelp reason={edge.reason} />}
			{group === 'pending' && (
				<p className="px-4 pb-2">
					{say(
						'It came by a code for several machines. Nothing is taken of it, and nobody but admins sees it, until it is taken in. It works on, and asks again each minute.',
					)}
				</p>
			)}
			{group === 'away' && (
				<p className="px-4 pb-2 text-muted">
					{say('It works on alone. What it has is sent once its server runs and reaches this hub.')}
				</p>
			)}
			<MachineActions edge={edge} onChange={onChange} />
		</Dialog>
	);
}
