/** Test files that put another module in the place of one, or a row into a table: no other file may have read it before or find it after. */
export const APART: readonly string[] = [
	'hooks-bridge/disk/handoff-faults.test.ts',
	'hooks-bridge/disk/write-durably.test.ts',
	'server/cli/doctor.test.ts',
	'server/cli/init-agents.test.ts',
	'server/cli/init-full-disk.test.ts',
	'server/cli/init-plugin.test.ts',
	'server/cli/init-telemetry.test.ts',
	'server/cli/init.test.ts',
	'server/cli/read-only.test.ts',
	'server/cli/service.test.ts',
	'server/cli/uninstall.test.ts',
	'server/cli/upgrade.test.ts',
	'server/door/blob-faults.test.ts',
	'server/setup/new-gate.test.ts',
	'server/timeline/tail/durability.test.ts',
];
