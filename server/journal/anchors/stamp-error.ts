/** Why a time stamp proves nothing; its words come from us, never from the authority. */
export class StampError extends Error {}
