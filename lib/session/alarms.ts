import type { AlarmView, HandledAlarm } from '../contract/sessions/read-model/session-view.ts';
import type { Plain } from '../messages/say.ts';
import { find } from './view.ts';

export const alarmWords = {
	'denied-but-ran': 'denied, but ran',
	'other-input-ran': 'ran with another input than was judged',
	'ran-unjudged': 'ran without being judged',
	'allowed-never-ran': 'allowed, but never ran',
	silent: 'silent',
} as const satisfies Record<AlarmView['kind'], Plain>;

export function isUnseen(key: string, handled: readonly HandledAlarm[] | undefined): boolean {
	const word = handled && find(handled, 'key', key);
	return word === undefined || word.until !== undefined;
}

export function isRaised({ key }: AlarmView, handled: readonly HandledAlarm[] | undefined, now: number): boolean {
	const word = handled && find(handled, 'key', key);
	return word === undefined || (word.until !== undefined && Date.parse(word.until) <= now);
}
