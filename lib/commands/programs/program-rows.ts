import { languagePrograms } from './language-programs.ts';
import type { ProgramRow } from './program-row.ts';
import { systemPrograms } from './system-programs.ts';

/**
 * Programs that can start another one, with their ways. What stands in no row starts nothing that a line tells, or is not
 * known here (`commands.unknown`).
 */
export const programRows: readonly ProgramRow[] = [...systemPrograms, ...languagePrograms];
