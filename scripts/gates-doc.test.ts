import { expect, it } from 'vitest';
import { renderGatesDoc } from './gates-doc.ts';

it('R371 the document of gates says what the table says', async () => {
	await expect(renderGatesDoc()).toMatchFileSnapshot('../docs/guide/gates.md');
});
