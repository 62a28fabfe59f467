import { Fragment, type ReactNode } from 'react';
import type { Message } from '#lib/messages/say.ts';
import type { Filling } from '#lib/messages/sentence.ts';
import { useSay } from './use-say.ts';

type PhraseProps<Text extends Message> = { of: Text } & (Filling<Text, ReactNode> extends [infer Values]
	? { with: Values }
	: { with?: never });

/** A message with elements in its placeholders, in the order that the language needs. */
export function Phrase<Text extends Message>({ of, with: values }: PhraseProps<Text>) {
	const say = useSay();
	const filling = (values === undefined ? [] : [values]) as Filling<Text, ReactNode>;
	const pieces: readonly ReactNode[] = say.pieces(of, ...filling);
	// biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a message keep their order.
	return pieces.map((piece, index) => <Fragment key={index}>{piece}</Fragment>);
}
