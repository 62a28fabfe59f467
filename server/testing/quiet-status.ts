import type { ApiOptions } from '../pages/api/api.ts';

/** How a server stands at which nothing has happened. For tests. */
export const quietStatus: ReturnType<ApiOptions['status']> = {
	version: '0.0.0',
	startedAt: '2026-01-01T00:00:00.000Z',
	home: '/home/of/tests',
	port: 7777,
	hooksPerMinute: 0,
	hooksLastHour: [],
	hookTimes: null,
	room: null,
	model: null,
	channels: [],
	telemetry: {
		records: 0,
		rejected: 0,
		refused: 0,
		told: 0,
		inTranscript: 0,
		waiting: 0,
		unjoined: 0,
		callless: 0,
	},
	incidents: [],
	log: [],
	projects: [],
};
