import { tell } from '#lib/messages/tell.ts';
import type { HealingIndex } from '../../timeline/store/healing-index.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import type { IncidentLog } from './incident-log.ts';

/** Has a damaged index at `path` read again from the timelines, and says so on every page until that is done. */
export function watchIndex(options: {
	path: string;
	index: Pick<HealingIndex, 'onDamage' | 'onRebuilt'>;
	tail: Pick<Tail, 'restart'>;
	incidents: IncidentLog;
}): void {
	const { path, index, tail, incidents } = options;
	index.onDamage((reason) => {
		const message = tell(
			'The index was damaged ({reason}) and is built anew from the timelines. Until that is done, sessions are missing from the pages; hooks are judged as ever',
			{ reason },
		);
		incidents.raise({ code: 'index/damaged', about: path, message, stands: true });
	});
	index.onRebuilt(() => void tail.restart().then(() => incidents.clear('index/damaged', path)));
}
