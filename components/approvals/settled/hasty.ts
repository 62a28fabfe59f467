import type { Plain } from '#lib/messages/say.ts';

/** Shown for a press that was dropped because its place had just come or moved. */
export const HASTY: Plain = 'moved: press again';
