'use client';
import { useEffect, useState } from 'react';
import { useSay } from '../../language/use-say.ts';
import { Button } from '../../ui/button.tsx';
import { setDesktop, wantsDesktop } from './desktop-wish.ts';
import { startWorker } from './notice-worker.ts';
import { canPush, ownPush, startPush, stopPush } from './push-api.ts';

/** How this browser tells of a waiting call. The browser is asked only on a click, never by itself. */
export function NotifySwitch({ isOperator }: { isOperator: boolean }) {
	const say = useSay();
	const [desktop, setDesktopShown] = useState(wantsDesktop);
	const [push, setPush] = useState<string | null>(null);
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const isPossible = 'Notification' in window && 'serviceWorker' in navigator;
	const mayPush = isOperator && isPossible && canPush();

	useEffect(() => {
		if (mayPush) void ownPush().then(setPush, () => setPush(null));
	}, [mayPush]);

	async function run(action: () => Promise<string | null>) {
		setBusy(true);
		setRefusal(await action());
		setBusy(false);
	}

	const switchDesktop = () =>
		run(async () => {
			const wanted = !desktop;
			if (wanted && !(await isAllowed())) return BLOCKED;
			if (wanted) await startWorker();
			setDesktop(wanted);
			setDesktopShown(wantsDesktop());
			return null;
		});
	const switchPush = () =>
		run(async () => {
			if (push !== null) {
				const refused = await stopPush(push);
				if (refused === null) setPush(null);
				return refused;
			}
			if (!(await isAllowed())) return BLOCKED;
			const refused = await startPush();
			if (refused !== null) return refused;
			setPush(await ownPush());
			// One message a call is enough.
			setDesktop(false);
			setDesktopShown(false);
			return null;
		});

	if (!isPossible) return <span className="text-muted">{say('This browser shows no notifications.')}</span>;
	return (
		<div className="flex flex-col items-start gap-2">
			<div className="flex flex-wrap gap-2">
				<Button disabled={isBusy} aria-pressed={desktop} onClick={() => void switchDesktop()}>
					{desktop ? say('While a page is open: on') : say('While a page is open: off')}
				</Button>
				{mayPush && (
					<Button disabled={isBusy} aria-pressed={push !== null} onClick={() => void switchPush()}>
						{push !== null ? say('Also when none is: on') : say('Also when none is: off')}
					</Button>
				)}
			</div>
			<span className="text-muted">{say('A notification can deny; for anything else it opens the call’s card.')}</span>
			{refusal !== null && (
				<span role="alert" className="text-warn">
					{say.known(refusal)}
				</span>
			)}
		</div>
	);
}

const BLOCKED = 'The browser does not allow notifications of this page. Allow them in its settings for this site.';

async function isAllowed(): Promise<boolean> {
	return Notification.permission === 'granted' || (await Notification.requestPermission()) === 'granted';
}
