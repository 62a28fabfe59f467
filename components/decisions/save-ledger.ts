import type { DecisionRecord } from '#lib/contract/decisions.ts';
import { ledgerCsv } from '#lib/ledger/ledger-words.ts';

/** Gives the browser a CSV file of these lines to keep. */
export function saveLedger(lines: readonly DecisionRecord[]): void {
	// Spreadsheets take a file without the mark for one in the machine's own code page.
	const address = URL.createObjectURL(new Blob(['\ufeff', ledgerCsv(lines)], { type: 'text/csv;charset=utf-8' }));
	const link = document.createElement('a');
	link.href = address;
	link.download = 'decisions.csv';
	link.click();
	URL.revokeObjectURL(address);
}
