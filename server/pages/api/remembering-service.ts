import { AppError } from '#lib/contract/errors.ts';
import type { Principal } from '../../access/principal.ts';
import { decideAndRemember } from '../../approvals/grants/decide-and-remember.ts';
import type { GrantService } from '../../approvals/grants/grant-service.ts';
import type { Decisions } from './approval-routes.ts';

/** The service for who asks: a sign-in that may decide one call alone allows nothing for later ones. Throws `auth/forbidden`. */
export function rememberingService(
	services: { service: Decisions; grants: Pick<GrantService, 'create'> },
	{ role }: Pick<Principal, 'role'>,
): Decisions {
	return {
		...services.service,
		async decide(approvalId, body, by) {
			if (body.remember && role !== 'operator') throw new AppError('auth/forbidden');
			return decideAndRemember(services, approvalId, body, by);
		},
	};
}
