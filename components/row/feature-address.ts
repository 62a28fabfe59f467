import type { Route } from 'next';
import { sessionPath } from '#lib/ids/session-path.ts';

/** Where a feature's page is; on a hub with its machine's number. */
export const featureAddress = (id: string): Route<`/features/${string}`> => `/features/${sessionPath(id)}`;
