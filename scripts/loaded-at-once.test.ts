import { expect, test } from 'vitest';
import { loadedAtOnce } from './loaded-at-once.ts';

test('R1352 the list and a session load no schema: of the contract only types and plain words come to them', () => {
	const loaded = loadedAtOnce(['app/layout.tsx', 'app/page.tsx', 'app/sessions/[...id]/page.tsx']);
	expect([...loaded.keys()]).toEqual(expect.arrayContaining(['components/live/socket.ts', 'lib/session/fold.ts']));
	expect(loaded.get('zod'), 'This file loads zod: import its types alone, or on demand').toBeUndefined();
});
