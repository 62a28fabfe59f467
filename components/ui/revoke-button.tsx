import { type ReactNode, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { Alert } from './answer-state.tsx';
import { Button } from './button.tsx';

interface RevokeButtonProps {
	/** What it is called until it is pressed, where the word alone does not say of what. */
	name?: string;
	sure: string;
	warning?: ReactNode;
	/** Says why it was not done; null where it was. */
	onRevoke: () => Promise<string | null>;
}

/** Takes something away at the second press, since that cannot be undone. */
export function RevokeButton({ name, sure, warning, onRevoke }: RevokeButtonProps) {
	const say = useSay();
	const [isConfirming, setConfirming] = useState(false);
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);

	async function act() {
		if (!isConfirming) return setConfirming(true);
		setBusy(true);
		setRefusal(await onRevoke());
		setBusy(false);
		setConfirming(false);
	}

	return (
		<>
			<Alert>{refusal}</Alert>
			{isConfirming && warning}
			<Button
				size="small"
				kind={isConfirming ? 'danger' : 'plain'}
				disabled={isBusy}
				aria-label={isConfirming ? undefined : name}
				onClick={() => void act()}
			>
				{isConfirming ? sure : say('Revoke')}
			</Button>
		</>
	);
}
