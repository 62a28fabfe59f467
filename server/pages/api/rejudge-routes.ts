import { parseWish } from '../../archives/rejudge/read-wish.ts';
import type { RejudgeService } from '../../archives/rejudge/rejudge-service.ts';
import type { SettingsService } from '../../archives/rejudge/settings-service.ts';
import { deciderOf } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';

/** Asking history what other settings would have said, and writing them. */
export function createRejudgeRoutes({ rejudge, settings }: { rejudge: RejudgeService; settings: SettingsService }) {
	return [
		defineRoute('GET /api/rejudge', ({ query }) => rejudge.judge(query)),
		defineRoute('GET /api/settings/change', ({ query: { set, project } }) => settings.preview(parseWish(set), project)),
		defineRoute('POST /api/settings/change', ({ body, context }) => settings.write(body, deciderOf(context))),
	];
}
