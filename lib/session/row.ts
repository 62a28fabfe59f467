import { labelOf } from '../contract/events/event-labels.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';

export type { Row } from '../contract/sessions/read-model/row.ts';

/** The words for what a row is: its own, or those of its type. */
export const rowLabel = (row: Row): string => row.label ?? labelOf(row.type).en;
