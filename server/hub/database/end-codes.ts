import { CLOSE } from '#lib/contract/hub/hub-wire.ts';

/**
 * Why the hub ends a connection. Counted apart are who never said anything ('silent', told 'bad': anybody can do that), and
 * who comes with too many others ('crowded', told 'later').
 */
export type EndReason = keyof typeof CLOSE | 'silent' | 'crowded';

/** The close code of the websocket for each reason. */
export const END_CODES: Readonly<Record<EndReason, number>> = { ...CLOSE, silent: CLOSE.bad, crowded: CLOSE.later };
