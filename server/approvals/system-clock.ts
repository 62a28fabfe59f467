import type { Instant } from '#lib/approvals/ticket.ts';

/** This moment on the machine's two clocks. */
export const systemClock = (): Instant => ({ wall: Date.now(), monotonic: performance.now() });
