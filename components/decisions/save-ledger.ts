import type { DecisionRecord } from '#lib/contract/archives/decisions.ts';
import { ledgerCsv } from '#lib/ledger/ledger-words.ts';
import { saveText } from '../ui/save-text.ts';

/** Gives the browser a CSV file of these lines to keep. */
export function saveLedger(lines: readonly DecisionRecord[]): void {
	// Spreadsheets take a file without the mark for one in the machine's own code page.
	saveText('decisions.csv', ['\ufeff', ledgerCsv(lines)], 'text/csv');
}
