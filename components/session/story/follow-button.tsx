'use client';
import { memo, useEffect, useState } from 'react';
import { useSay } from '../../language/use-say.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcut } from '../../ui/keys/use-shortcut.ts';

interface FollowButtonProps {
	sessionId: string;
	/** The newest row is in view and followed. */
	atEnd: boolean;
	onFollow: () => Promise<void>;
}

/** Elsewhere than at the story's end: how many rows came since, and the way there. */
export const FollowButton = memo(function FollowButton({ sessionId, atEnd, onFollow }: FollowButtonProps) {
	const say = useSay();
	const { store, isLive } = useSessionSource();
	/** How many had come when the reader left the end; null while there. */
	const [left, setLeft] = useState<number | null>(null);
	useShortcut('follow', () => void onFollow());
	useEffect(() => setLeft(atEnd ? null : (store.getState().session?.arrived ?? 0)), [atEnd, store]);
	if (atEnd) return null;
	return (
		<Button
			className="absolute bottom-3 left-1/2 -translate-x-1/2 bg-surface shadow-lg"
			onClick={() => void onFollow()}
		>
			↓ <NewRows sessionId={sessionId} since={left} otherwise={isLive ? say('Newest') : say('To the end')} />
		</Button>
	);
});

interface NewRowsProps {
	sessionId: string;
	since: number | null;
	/** Shown while there are none. */
	otherwise: string;
}

function NewRows({ sessionId, since, otherwise }: NewRowsProps) {
	const say = useSay();
	const fresh = useSession(sessionId, ({ arrived }) => (since === null ? 0 : arrived - since)) ?? 0;
	return fresh > 0 ? say('{count} new', { count: fresh }) : otherwise;
}
