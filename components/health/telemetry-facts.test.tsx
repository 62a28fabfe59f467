import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { TelemetryCounts } from '#lib/contract/health/status.ts';
import { TelemetryFacts } from './status-page.tsx';

const none = { records: 0, rejected: 0, refused: 0, told: 0, inTranscript: 0, waiting: 0, unjoined: 0, callless: 0 };
const shown = (counts: Partial<TelemetryCounts>) =>
	renderToStaticMarkup(<TelemetryFacts counts={{ ...none, ...counts }} />).replaceAll(/<[^>]*>/g, '|');

test('Health shows the state of the telemetry, and how to set it up if there is none', () => {
	expect(shown({})).toContain('Copy the command that starts it');
	const all = shown({ records: 90, told: 40, inTranscript: 7, waiting: 1, unjoined: 3, callless: 2, rejected: 5 });
	expect(all).toContain('90 records read, 40 recorded');
	for (const words of ['7 also in a transcript', '1 waiting for', '3 of sessions', '2 about a call', '5 unreadable'])
		expect(all).toContain(words);
	expect(all).not.toContain('refused');
	expect(shown({ refused: 1 })).toContain('1 request refused');
});
