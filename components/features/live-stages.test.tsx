import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LiveStages } from './live-feature.tsx';

test('each run of a feature that is not worked on is shown with its result, none as still to come', () => {
	const drawn = renderToStaticMarkup(
		<LiveStages
			runs={[
				{ sessionId: 's', stage: 'DEV', from: 1_000, to: 61_000, result: 'pass' },
				{ sessionId: 's', stage: 'REVIEW', from: 62_000, to: 92_000, result: 'reject' },
			]}
		/>,
	);
	expect(drawn).not.toContain('still-to-come');
	expect(drawn).toContain('✓ pass 1m 0s');
	expect(drawn).toContain('✕ reject 30s');
});
