import type { CompareService } from '../../archives/compare/compare-service.ts';
import { defineRoute } from './define-route.ts';

/** Recorded runs beside each other. */
export function createCompareRoutes({ comparisons }: { comparisons: CompareService }) {
	return [defineRoute('GET /api/compare', ({ query: { a, b } }) => comparisons.compare(a, b))];
}
