/** A session goes on from its archive, which is read beside: nobody who writes waits for the object store. */
export class ArchiveAwaited extends Error {}
