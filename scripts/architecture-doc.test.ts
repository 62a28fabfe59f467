import { expect, test } from 'vitest';
import { renderArchitectureDoc } from './architecture-doc.ts';

test('R1350 the map of the rooms says what the table of floors says', async () => {
	await expect(renderArchitectureDoc()).toMatchFileSnapshot('../docs/architecture.md');
});
