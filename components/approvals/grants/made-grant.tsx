'use client';
import Link from 'next/link';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { scopeWords } from '#lib/grants/covers.ts';
import type { Plain } from '#lib/messages/say.ts';
import { endTime, hourMinute } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useNow } from '../../live/now.ts';
import { rowAddress } from '../../row/row-address.ts';
import { useGrants } from './use-grants.ts';

interface MadeGrantProps {
	grant: GrantRecord;
	/** What must happen for it to be used. */
	next: Plain;
}

/** What was just allowed, until when; once a try has used it up, that, with the way to the call. */
export function MadeGrant({ grant, next }: MadeGrantProps) {
	const say = useSay();
	const now = useNow();
	const use = useGrants('used')?.find(({ id }) => id === grant.id)?.lastUse;
	return (
		<p role="status" className="text-ok">
			<span aria-hidden>✓ </span>
			{use ? (
				<>
					{say('Used at {time}: the next try was let run.', { time: hourMinute(use.at) })}{' '}
					<Link
						href={rowAddress(use.sessionId, use.toolUseId === undefined ? undefined : `call:${use.toolUseId}`)}
						prefetch={false}
						className="text-accent underline"
					>
						{say('Show that call')}
					</Link>
				</>
			) : (
				say('Allowed for {scope} until {time}. {next}', {
					scope: say(scopeWords[grant.scope]),
					time: endTime(grant.expires, now, say.language),
					next: say(next),
				})
			)}
		</p>
	);
}
