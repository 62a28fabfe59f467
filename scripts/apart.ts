/** Test files that put another module in the place of one, which no other file may have loaded before and none may find after. */
export const APART: readonly string[] = [
	'hooks-bridge/disk/write-durably.test.ts',
	'server/cli/doctor.test.ts',
	'server/cli/init-agents.test.ts',
	'server/cli/init-plugin.test.ts',
	'server/cli/init-telemetry.test.ts',
	'server/cli/init.test.ts',
	'server/tail/durability.test.ts',
];
