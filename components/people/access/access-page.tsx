'use client';
import { parseAsString, useQueryState } from 'nuqs';
import { useCallback, useState } from 'react';
import type { AccessEntry } from '#lib/contract/access/access.ts';
import type { Plain } from '#lib/messages/say.ts';
import { HubGrants } from '../../approvals/grants/hub-grants.tsx';
import { AuditLine } from '../../decisions/audit/audit-line.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useLive } from '../../live/store.ts';
import { useAnswer } from '../../live/use-answer.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Advice } from '../../ui/text/advice.tsx';
import { AccessRow } from './access-row.tsx';
import { EndedList } from './ended-list.tsx';
import { NewPasskey } from './new-passkey.tsx';

const words = {
	passkey: { title: 'Passkeys', none: 'None yet. With one, only its owner decides; a token cannot.' },
	'sign-in': { title: 'Sign-ins', none: 'None.' },
	token: { title: 'Tokens', none: 'None. `signalbox token create --role viewer` makes one.' },
} as const satisfies Record<AccessEntry['kind'], { title: Plain; none: Plain }>;
const kinds = ['passkey', 'sign-in', 'token'] as const;

/** Who may come in and who may decide, and taking that away. */
export function AccessPage() {
	const say = useSay();
	const role = useLive(({ me }) => me?.role);
	const [asked] = useQueryState('who', parseAsString);
	const who = asked && /^[0-9a-f]{8,16}$/.test(asked) ? asked : null;
	const ask = useCallback(() => callRoute('GET /api/access', who === null ? {} : { query: { who } }), [who]);
	const { data, error, reload } = useAnswer(role === 'operator' ? ask : null);
	const [changed, setChanged] = useState<AccessEntry[] | null>(null);
	const entries = changed ?? data?.entries;

	if (role !== undefined && role !== 'operator') {
		return <p className="mx-auto max-w-3xl p-4 text-muted">{say('Only an operator sees who may come in.')}</p>;
	}
	if (!entries) {
		return error === null ? (
			<Skeleton label={say('Access is loading')} />
		) : (
			<p className="p-4 text-warn">{say.known(error)}</p>
		);
	}
	return (
		<div className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
			<h1 className="font-semibold text-title">{say('Access')}</h1>
			{kinds.map((kind) => {
				const own = entries.filter((entry) => entry.kind === kind);
				return (
					<section key={kind} aria-label={say(words[kind].title)} className="flex flex-col gap-1">
						<h2 className="font-semibold text-muted text-small uppercase">{say(words[kind].title)}</h2>
						{own.length === 0 && (
							<p className="text-muted">
								<Advice>{say(words[kind].none)}</Advice>
							</p>
						)}
						<ul>
							{own.map((entry) => (
								<AccessRow
									key={entry.id}
									entry={entry}
									isAskedFor={who !== null && entry.id.startsWith(who)}
									onChange={(rest) => {
										setChanged(rest);
										reload();
									}}
								/>
							))}
						</ul>
						{kind === 'passkey' && <NewPasskey isFirst={own.length === 0} onChange={setChanged} />}
					</section>
				);
			})}
			<HubGrants />
			{asked && data && <EndedList who={asked} entries={data.entries} ended={data.ended ?? []} />}
			<AuditLine />
		</div>
	);
}
