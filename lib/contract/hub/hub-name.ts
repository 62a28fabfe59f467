import * as z from 'zod';

/** Characters that act on a terminal, break lines or turn the reading direction; halves of a character. */
const ACTS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

export const hubName = (most: number) =>
	z
		.string()
		.trim()
		.min(1, 'it is empty')
		.max(most, `it is longer than ${most} characters`)
		.refine((text) => SEEN.test(text), 'it holds nothing that is seen')
		.refine((text) => !ACTS.test(text), 'it holds a character that acts instead of being read');

export const TeamName = hubName(80);
export const TokenName = hubName(80);
export const MachineName = hubName(80);
