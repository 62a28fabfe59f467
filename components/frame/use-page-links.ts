import { useMemo } from 'react';
import { useHub } from '../live/hub.tsx';
import { useLive } from '../live/store.ts';
import { type PageLink, placesAt } from '../ui/keys/shortcuts.ts';

const NOBODY: never[] = [];

/** The pages of the bars, as far as this hub or machine has them and this sign-in may see them. */
export function usePageLinks(): readonly PageLink[] {
	const isHub = useHub();
	const roles = useLive(({ me }) => me?.hub?.roles) ?? NOBODY;
	return useMemo(() => placesAt(isHub, roles), [isHub, roles]);
}
