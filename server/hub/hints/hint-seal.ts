import { createHmac, createPrivateKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HintTopic } from './hints.ts';

const MARK_BYTES = 16;

/**
 * How a hint is written on a channel that others may write to, too: who sent it, and with a body a mark that only a replica of
 * this hub can make, over the channel as well, so that it says nothing elsewhere. A hub's channels have a name of its own.
 */
export function createHintSeal(privateKey: string) {
	const secret = createPrivateKey(privateKey).export({ format: 'der', type: 'pkcs8' });
	const derive = (what: string, bytes: number) =>
		Buffer.from(hkdfSync('sha256', secret, '', `signalbox hub hints: ${what}`, bytes));
	const key = derive('mark', 32);
	const prefix = `signalbox:${derive('channel', 9).toString('base64url')}:`;
	const self = randomBytes(6).toString('base64url');
	const markOf = (channel: string, from: string, body: string) =>
		createHmac('sha256', key).update(`${channel} ${from} ${body}`).digest().subarray(0, MARK_BYTES);

	return {
		channelOf: (topic: HintTopic) => `${prefix}${topic}`,
		topicOf: (channel: string) => channel.slice(prefix.length) as HintTopic,
		close: (channel: string, body: string | undefined): string =>
			body === undefined ? self : `${self} ${markOf(channel, self, body).toString('base64url')} ${body}`,
		/** What a message says; `own` is from this replica itself, `unproven` has a body that nobody need believe. */
		open(channel: string, message: string): { body: string | undefined } | 'own' | 'unproven' {
			const [, from = '', mark, body] = /^(\S+)(?: (\S+) (.*))?$/s.exec(message) ?? [];
			if (from === self) return 'own';
			if (mark === undefined || body === undefined) return { body: undefined };
			const given = Buffer.from(mark, 'base64url');
			const isRight = given.length === MARK_BYTES && timingSafeEqual(given, markOf(channel, from, body));
			return isRight ? { body } : 'unproven';
		},
	};
}
