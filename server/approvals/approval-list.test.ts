import { randomUUID } from 'node:crypto';
import { describeApprovals } from '../testing/approvals.contract.ts';
import { startService } from '../testing/service-rig.ts';

describeApprovals('a machine', async (rows) => {
	const { journal, service, stop } = await startService();
	for (const row of rows) await journal.append({ id: randomUUID(), sessionId: 's1', ...row });
	return { approvals: service, close: stop };
});
