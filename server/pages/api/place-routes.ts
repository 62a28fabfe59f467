import type { Places } from '#lib/contract/http.ts';
import { defineRoute } from './define-route.ts';

/** Where sessions come from. */
export function createPlaceRoutes({ places }: { places: () => Promise<Places> | Places }) {
	return [defineRoute('GET /api/places', () => places())];
}
