import { randomUUID } from 'node:crypto';
import { machineGrants } from '../../pages/api/approval-routes.ts';
import { describeGrants } from '../../testing/grants.contract.ts';
import { startService } from '../../testing/service-rig.ts';

describeGrants('a machine', async (rows) => {
	const { journal, service, grants, stop } = await startService();
	for (const row of rows) await journal.append({ id: randomUUID(), sessionId: 's1', ...row });
	// As its server finds them at a start.
	grants.stop();
	grants.guardHubGrants(() => () => undefined);
	await grants.start();
	const denied = { approval: service.get, reads: { events: async () => [] } };
	return {
		grants: machineGrants({ grants, denied, observes: () => false, access: { ended: () => [] } }),
		close: stop,
	};
});
