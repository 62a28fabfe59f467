import { RuleList } from '#lib/contract/rules/rules.ts';
import { callRouteAs } from '../live/call-route.ts';

/** Asks how the gates stand. */
export const askRules = () => callRouteAs('GET /api/rules', RuleList);
