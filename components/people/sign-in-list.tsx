'use client';
import { useState } from 'react';
import type { SignInLine } from '#lib/contract/hub/hub-people.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Button } from '../ui/button.tsx';
import { NewToken } from './new-token.tsx';
import { SignInRow } from './sign-in-row.tsx';

/** Others sign in while somebody looks. */
const AGAIN_MS = 10_000;
/** So many are drawn at first. */
const SOME = 50;
const askSignIns = () => callRoute('GET /api/hub/sign-ins');

/** What lets people in: one's own sign-ins and tokens, and for an admin of everything everybody's. */
export function SignInList({ isAdmin }: { isAdmin: boolean }) {
	const say = useSay();
	const { data, error, reload } = useAnswer(askSignIns, AGAIN_MS);
	const [isAll, setAll] = useState(false);
	const [changed, setChanged] = useState<{ by: typeof data; entries: readonly SignInLine[] } | null>(null);
	// What a change has answered counts until the list is read anew.
	const entries = changed?.by === data ? changed.entries : data?.entries;
	const shown = isAll ? entries : entries?.slice(0, SOME);
	const more = (entries?.length ?? 0) - (shown?.length ?? 0);
	return (
		<section aria-label={say('Sign-ins and tokens')} className="flex flex-col gap-1">
			<h2 className={isAdmin ? 'font-semibold text-muted text-small uppercase' : 'sr-only'}>
				{say('Sign-ins and tokens')}
			</h2>
			{error && (
				<p role="alert" className="text-warn">
					{say.known(error)}
				</p>
			)}
			<ul className="border-line border-t">
				{shown?.map((entry) => (
					<SignInRow
						key={entry.id}
						entry={entry}
						onChange={(rest) => {
							setChanged({ by: data, entries: rest });
							reload();
						}}
					/>
				))}
			</ul>
			{more > 0 && (
				<Button kind="quiet" size="small" className="self-start" onClick={() => setAll(true)}>
					{say('Show {count} more', { count: more })}
				</Button>
			)}
			<NewToken onMade={reload} />
		</section>
	);
}
