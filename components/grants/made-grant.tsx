'use client';
import Link from 'next/link';
import type { GrantRecord } from '#lib/contract/grants.ts';
import { scopeWords } from '#lib/grants/words.ts';
import { endTime, hourMinute } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { rowAddress } from '../row/row-address.ts';
import { useGrants } from './use-grants.ts';

interface MadeGrantProps {
	grant: GrantRecord;
	/** What must happen for it to be used. */
	next: string;
}

/** What was just allowed, until when; once a try has used it up, that, with the way to the call. */
export function MadeGrant({ grant, next }: MadeGrantProps) {
	const now = useNow();
	const use = useGrants('used')?.find(({ id }) => id === grant.id)?.lastUse;
	return (
		<p role="status" className="text-ok">
			<span aria-hidden>✓ </span>
			{use ? (
				<>
					Used at {hourMinute(use.at)}: the next try was let run.{' '}
					<Link
						href={rowAddress(use.sessionId, use.toolUseId === undefined ? undefined : `call:${use.toolUseId}`)}
						prefetch={false}
						className="text-accent underline"
					>
						Show that call
					</Link>
				</>
			) : (
				<>
					Allowed for {scopeWords[grant.scope]} until {endTime(grant.expires, now)}. {next}
				</>
			)}
		</p>
	);
}
