import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import { defineRoute } from './define-route.ts';

/** Where sessions come from. */
export function createPlaceRoutes({ places }: { places: () => Promise<SourceOptions> | SourceOptions }) {
	return [defineRoute('GET /api/places', () => places())];
}
