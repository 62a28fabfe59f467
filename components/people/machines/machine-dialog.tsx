'use client';
import type { EdgeState, HubEdge } from '#lib/contract/hub/edges.ts';
import { behindWords, clockWords, groupLooks, groupOf, levels } from '#lib/hub/machine-looks.ts';
import type { Plain } from '#lib/messages/say.ts';
import { clockOrDate, endTime } from '#lib/time/clock.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useNow } from '../../live/now.ts';
import { useAction } from '../../live/use-action.ts';
import { DetailFact } from '../../ui/detail-fact.tsx';
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';

interface MachineDialogProps {
	edge: HubEdge;
	onChange: () => void;
	onClose: () => void;
}

export function MachineDialog({ edge, onChange, onClose }: MachineDialogProps) {
	const say = useSay();
	const now = useNow();
	const { name, team, joinedAt, seenAt, level, version, labels } = edge;
	const group = groupOf(edge);
	const { word, tone } = groupLooks[group];
	const sessions = new URLSearchParams({ machine: name, team }).toString();
	return (
		<Dialog title={name} onClose={onClose}>
			<dl className="p-4 pb-2">
				<DetailFact name={say('State')}>
					<Toned tone={tone}>{say(word)}</Toned>
					{group === 'away' && seenAt !== null && (
						<span className="text-muted">
							{', '}
							{say('heard of last {time}', { time: endTime(seenAt, now, say.language) })}
						</span>
					)}
				</DetailFact>
				<DetailFact name={say('Team')}>{team}</DetailFact>
				<DetailFact name={say('Joined')}>
					<time dateTime={joinedAt}>{clockOrDate(joinedAt, now, say.language)}</time>
				</DetailFact>
				<DetailFact name={say('Sent')}>{behindWords(edge, say)?.words ?? say('not told')}</DetailFact>
				<DetailFact name={say('Clock')}>{clockWords(edge, say) ?? say('as the hub’s')}</DetailFact>
				<DetailFact name={say('Level')}>{`${levels[level].name}: ${say(levels[level].means)}`}</DetailFact>
				<DetailFact name={say('Signalbox')}>{version ?? say('not told')}</DetailFact>
				<DetailFact name={say('Labels')}>{labels.join(', ')}</DetailFact>
				<DetailFact name={say('Sessions')}>
					<TextLink href={`/?${sessions}`}>{say('Those of this machine')}</TextLink>
				</DetailFact>
			</dl>
			{group === 'quarantined' && <QuarantineHelp edge={edge} />}
			{group === 'pending' && (
				<p className="px-4 pb-2">
					{say(
						'It came by a code for several machines. Nothing is taken of it, and nobody but admins sees it, until it is accepted. It works on, and asks again each minute.',
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

type Action = 'admit' | 'accept' | 'revoke';

const looks = {
	admit: {
		name: 'Take it in…',
		act: 'Take it in',
		means: 'The hub takes what the machine shares, from its beginning, and shows it to whoever sees its team.',
	},
	accept: {
		name: 'Take it back…',
		act: 'Take it back',
		means:
			'The hub takes what the machine sends from now on, and what it has missed. Should a copy still run, the two meet and are quarantined again.',
	},
	revoke: {
		name: 'Revoke…',
		act: 'Revoke it',
		means:
			'The hub ends its connection within seconds and does not let it in again. What it has sent stays here, and the machine works on alone.',
	},
} as const satisfies Record<Action, { name: Plain; act: Plain; means: Plain }>;

const offered: Readonly<Record<Exclude<EdgeState, 'revoked'>, readonly Action[]>> = {
	pending: ['admit', 'revoke'],
	quarantined: ['accept', 'revoke'],
	joined: ['revoke'],
};

export function MachineActions({ edge: { id, state }, onChange }: { edge: HubEdge; onChange: () => void }) {
	const say = useSay();
	const { isBusy, refusal, run } = useAction();
	async function act(action: Action): Promise<boolean> {
		const body = { action: action === 'revoke' ? action : ('accept' as const) };
		return (await run(callRoute('POST /api/hub/edges/:id', { params: { id: String(id) }, body }), onChange)).ok;
	}
	if (state === 'revoked')
		return (
			<p className="border-line border-t p-4">
				{say('It was revoked for good: run `signalbox leave` on it, and let it join with a new code.')}
			</p>
		);
	const actions = offered[state].map((action) => {
		const { name, act: sureName, means } = looks[action];
		const sure = { means: say(means), name: say(sureName), isDanger: action === 'revoke' };
		return { name: say(name), sure, run: () => act(action) };
	});
	return <DialogActions actions={actions} isBusy={isBusy} refusal={refusal} />;
}

const LEAVE = 'signalbox leave';
const leave = <code className="font-mono text-mono">{LEAVE}</code>;

export function QuarantineHelp({ edge }: { edge: Pick<HubEdge, 'reason' | 'sentences'> }) {
	const say = useSay();
	return (
		<section aria-label={say('Quarantine')} className="mx-4 mb-2 border-warn border-l-2 pl-3">
			<p className="text-warn">
				<AgentText>{say.field(edge, 'reason')}</AgentText>
			</p>
			<p className="pt-1">
				{say(
					'Two machines may hold its key: a copied disk, or one that was restored from a backup. The hub takes nothing more of it until somebody has looked. The machine works on, and what is missing is sent afterwards.',
				)}
			</p>
			<ol className="list-decimal pt-1 pl-5">
				<li>
					<Phrase
						of="It is the right one: run {leave} on the copy, then take this machine back. The copy joins with a code of its own."
						with={{ leave }}
					/>
				</li>
				<li>
					<Phrase
						of="Nobody can say which is right: revoke it. On each, run {leave} and join with a new code."
						with={{ leave }}
					/>
				</li>
			</ol>
		</section>
	);
}
