import { seededRandom } from '../rig/storm-random.ts';
import { payloadFamilies } from './payload-families.ts';

/** One text that must only ever be seen. */
export interface Payload {
	family: string;
	text: string;
}

/** What a text puts before another one, to get out of where it stands. */
const BREAKERS = [
	'"',
	"'",
	'">',
	"'>",
	'</b>',
	'-->',
	'\\',
	'\u0000',
	')',
	'}}',
	'\u202e',
	' ',
	'\n',
	'<!--',
	'`',
] as const;

/**
 * `count` distinct texts: all of every family, then, by the seed, one family's text that breaks out of another's. Those
 * that are whole names (`__proto__`) come as they are, the others with a number by which a person finds them.
 */
export function hostilePayloads(seed: number, count = 500): Payload[] {
	const { below, pick } = seededRandom(seed);
	const plain = Object.entries(payloadFamilies).flatMap(([family, texts]) => texts.map((text) => ({ family, text })));
	const payloads = plain.map(({ family, text }, at) => ({
		family,
		text: family === 'name' ? text : at % 2 === 0 ? `${text} hp${at}` : `hp${at} ${text}`,
	}));
	const any = () => plain[below(plain.length)]?.text.slice(0, 400) ?? '';
	for (let at = payloads.length; at < count; at += 1) {
		const text = `${any()}${pick(BREAKERS)}${any()}`;
		payloads.push({ family: 'mixed', text: at % 2 === 0 ? `${text} hp${at}` : `hp${at} ${text}` });
	}
	return payloads.slice(0, count);
}
