import type { EventOf } from '../contract/events/event.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { AlarmView, HandledAlarm } from '../contract/sessions/read-model/session-view.ts';
import type { Plain } from '../messages/say.ts';
import { alarmOf } from './call.ts';
import { oneLine } from './call-title.ts';
import { find, withEntry } from './view.ts';

const KEPT_ALARMS = 20;

export const alarmWords = {
	'denied-but-ran': 'denied, but ran',
	'other-input-ran': 'ran with another input than was judged',
	'ran-unjudged': 'ran without being judged',
	'allowed-never-ran': 'allowed, but never ran',
	silent: 'silent',
} as const satisfies Record<AlarmView['kind'], Plain>;

export function foldCallAlarm(
	alarms: readonly AlarmView[] | undefined,
	call: CallView,
): readonly AlarmView[] | undefined {
	const key = `call:${call.toolUseId}`;
	const kind = alarmOf(call);
	const before = alarms && find(alarms, 'key', key);
	if (!kind) return before ? alarms.filter((alarm) => alarm !== before) : alarms;
	const at = call.endedAt ?? call.closed?.at ?? call.at;
	const cause = oneLine(`${call.tool} ${call.title}`, 160);
	if (before?.kind === kind && before.at === at && before.cause === cause) return alarms;
	return withEntry(alarms ?? [], before, { key, kind, at, cause }).slice(-KEPT_ALARMS);
}

/** Of two changes of one alarm the later one counts, whichever is folded first. */
export function foldHandled(
	handled: readonly HandledAlarm[] | undefined,
	event: EventOf<'alarm:acknowledge' | 'alarm:snooze'>,
): readonly HandledAlarm[] {
	const { alarm: key, ts: at } = event;
	const before = handled && find(handled, 'key', key);
	if (before && before.at > at) return handled;
	const after = { key, at, ...(event.type === 'alarm:snooze' && { until: event.until }) };
	return withEntry(handled ?? [], before, after).slice(-KEPT_ALARMS);
}

export function isUnseen(key: string, handled: readonly HandledAlarm[] | undefined): boolean {
	const word = handled && find(handled, 'key', key);
	return word === undefined || word.until !== undefined;
}

export function isRaised({ key }: AlarmView, handled: readonly HandledAlarm[] | undefined, now: number): boolean {
	const word = handled && find(handled, 'key', key);
	return word === undefined || (word.until !== undefined && Date.parse(word.until) <= now);
}
