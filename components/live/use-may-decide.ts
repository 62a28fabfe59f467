import { useHub } from './hub.tsx';
import { useLive } from './store.ts';

/**
 * Whether this sign-in may decide; true until it is known, since the server has the last word. One that came by a link
 * may decide its one approval, and nothing else.
 */
export function useMayDecide(approvalId?: string): boolean {
	return useLive(
		({ me }) => me === null || me.role === 'operator' || (approvalId !== undefined && me.approval === approvalId),
	);
}

/** Whether this sign-in may do what is done at the machine itself; at its hub nobody may, where only calls are decided. */
export function useMayAct(): boolean {
	const mayDecide = useMayDecide();
	return !useHub() && mayDecide;
}
