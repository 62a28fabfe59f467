'use client';
import type { Me } from '#lib/contract/http.ts';
import { hourMinute } from '#lib/time/clock.ts';
import { DetailFact } from '../session/detail-fact.tsx';
import { Dialog } from '../ui/dialog.tsx';

const tiers: Record<Me['tier'], string> = {
	T0: 'approvals are not given from the dashboard',
	T1: 'a sign-in or token decides; this stops web pages, other users and accidents, not the agent itself',
	T2: 'a passkey decides; a program cannot approve by itself over HTTP',
	T3: 'a passkey decides, and the agent cannot reach the server or the hooks',
	T4: 'somebody elsewhere decides, and the hook checks a signed receipt',
};

interface MeSheetProps {
	me: Me;
	open: boolean;
	onOpenChange: (open: boolean) => void;
}

/** Who this browser is, how well decisions are protected, and who else was let in lately. */
export function MeSheet({ me, open, onOpenChange }: MeSheetProps) {
	return (
		<Dialog title="This sign-in" open={open} onOpenChange={onOpenChange}>
			<dl className="p-4">
				<DetailFact name="Role">{me.role}</DetailFact>
				<DetailFact name="Protection">
					{me.tier}: {tiers[me.tier]}
				</DetailFact>
				<DetailFact name="Home">
					<span className="font-mono text-mono">{me.home}</span>
				</DetailFact>
				<DetailFact name="Let in">
					{me.minted.length === 0 && 'No link or operator token was made in the last 24 hours.'}
					<ul>
						{me.minted.map(({ at, kind, role }) => (
							<li key={`${at} ${kind}`}>
								{hourMinute(at)} {kind} for {role}
							</li>
						))}
					</ul>
				</DetailFact>
			</dl>
		</Dialog>
	);
}
