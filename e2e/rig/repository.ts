import { resolve } from 'node:path';

/** The root of the repository, from which the built programs are run. */
export const REPOSITORY = resolve(import.meta.dirname, '../..');

/** The built `signalbox` command. */
export const SIGNALBOX = resolve(REPOSITORY, 'dist/signalbox.js');
