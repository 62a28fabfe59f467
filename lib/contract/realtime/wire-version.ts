/** Raised when the wire changes shape (`wire.ts`); a client of another version has to reload. */
export const WIRE_VERSION = 17;
