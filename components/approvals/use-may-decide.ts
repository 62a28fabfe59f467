import { useLive } from '../live/store.ts';

/** Whether this sign-in may decide; true until it is known, since the server has the last word. */
export function useMayDecide(): boolean {
	return useLive(({ me }) => me === null || me.role === 'operator');
}
