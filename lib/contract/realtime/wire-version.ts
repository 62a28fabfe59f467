/** Raised when what the wire carries changes shape (`wire.ts`); a client of another version is told to reload. */
export const WIRE_VERSION = 16;
