import type { Command } from '../process/command.ts';

interface TableEntry {
	summary: string;
	/** Loaded on demand: the hook must not load the server's code. */
	load(): Promise<Command>;
}

const row = (summary: string, load: TableEntry['load']): TableEntry => ({ summary, load });

/** Every command, in the order of `signalbox --help`. */
export const commandTable: Readonly<Record<string, TableEntry>> = {
	start: row('Start the server', async () => (await import('./start.ts')).start),
	open: row('Print a new login link', async () => (await import('./open.ts')).open),
	init: row('Register or remove the hooks of a project', async () => (await import('./init.ts')).init),
	agents: row('List the supported clients', async () => (await import('./agents.ts')).agents),
	doctor: row('Check the set-up of a project', async () => (await import('./doctor.ts')).doctor),
	status: row('Show whether the server runs, and the projects', async () => (await import('./status.ts')).status),
	service: row('Run the server whenever you are signed in', async () => (await import('./service.ts')).service),
	upgrade: row('Show what an upgrade changes in the home', async () => (await import('./upgrade.ts')).upgrade),
	uninstall: row('Remove hooks, service and home', async () => (await import('./uninstall.ts')).uninstall),
	demo: row('Play five sample sessions', async () => (await import('./demo.ts')).demo),
	workflow: row(
		"Start, show, pause or stop a session's workflow",
		async () => (await import('./workflow.ts')).workflow,
	),
	supervisor: row('Review stops and questions of a session', async () => (await import('./supervisor.ts')).supervisor),
	feature: row('Create, pause, resume, archive and list features', async () => (await import('./feature.ts')).feature),
	archive: row(
		'Export, verify and prune archives; back up the home',
		async () => (await import('./archive.ts')).archive,
	),
	compare: row('Compare two recorded runs', async () => (await import('./compare.ts')).compare),
	rejudge: row('Judge recorded calls with other settings', async () => (await import('./rejudge.ts')).rejudge),
	rules: row('Test a line against the command policy', async () => (await import('./rules.ts')).rules),
	notify: row('Send a test notification', async () => (await import('./notify.ts')).notify),
	sh: row('Run one command of the agent shell', async () => (await import('./sh.ts')).sh),
	mcp: row('Let agents query the record (MCP server)', async () => (await import('./mcp.ts')).mcp),
	token: row('Create a token for scripts', async () => (await import('./token.ts')).token),
	audit: row('Verify, export, redact and anchor the journal', async () => (await import('./audit.ts')).audit),
	hub: row('Run and manage a hub of many machines', async () => (await import('./hub.ts')).hub),
	join: row('Join this machine to a hub', async () => (await import('./join.ts')).join),
	'hub-level': row('Set what may be decided from the hub', async () => (await import('./hub-level.ts')).hubLevel),
	leave: row('Leave the hub', async () => (await import('./leave.ts')).leave),
	push: row('Wait until the hub has everything', async () => (await import('./push.ts')).push),
	reindex: row('Delete the index; the next start rebuilds it', async () => (await import('./reindex.ts')).reindex),
	hook: row('Judge one hook input (clients run this)', async () => (await import('./hook.ts')).hook),
};
