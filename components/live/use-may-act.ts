import { useHub } from './hub.tsx';
import { useMayDecide } from './use-may-decide.ts';

/** Whether this sign-in may do what is done at the machine itself; at its hub nobody may, where only calls are decided. */
export function useMayAct(): boolean {
	const mayDecide = useMayDecide();
	return !useHub() && mayDecide;
}
