import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StageVerdicts } from './stage-verdicts.tsx';

test('R1875 the verdicts tell how each run of a stage ended, in the order of the ends; what runs is none yet', () => {
	const drawn = renderToStaticMarkup(
		<StageVerdicts
			runs={[
				{ stage: 'REVIEW', from: 0, to: 90_000, result: 'reject' },
				{ stage: 'TEST', from: 0, to: 60_000, result: 'pass' },
				{ stage: 'DEV', from: 91_000, to: null },
			]}
		/>,
	).replace(/<[^>]*>/g, ' ');
	expect(drawn).toMatch(/✓\s+TEST\s+pass\s+1:00.*✕\s+REVIEW\s+reject\s+1:30/);
	expect(drawn).not.toContain('DEV');
	expect(renderToStaticMarkup(<StageVerdicts runs={[]} />)).toBe('');
});
