import type { Command } from '../process/command.ts';

interface TableEntry {
	summary: string;
	/** Loaded on demand: the hook must not load the server's code. */
	load(): Promise<Command>;
}

/** Every command, in the order of `signalbox --help`. */
export const commandTable: Readonly<Record<string, TableEntry>> = {
	start: { summary: 'Start the server', load: async () => (await import('./start.ts')).start },
	open: { summary: 'Print a new login link', load: async () => (await import('./open.ts')).open },
	init: { summary: 'Register or remove the hooks of a project', load: async () => (await import('./init.ts')).init },
	agents: {
		summary: 'List the supported clients',
		load: async () => (await import('./agents.ts')).agents,
	},
	doctor: { summary: 'Check the set-up of a project', load: async () => (await import('./doctor.ts')).doctor },
	status: {
		summary: 'Show whether the server runs, and the projects',
		load: async () => (await import('./status.ts')).status,
	},
	service: {
		summary: 'Run the server whenever you are signed in',
		load: async () => (await import('./service.ts')).service,
	},
	upgrade: {
		summary: 'Show what an upgrade changes in the home',
		load: async () => (await import('./upgrade.ts')).upgrade,
	},
	uninstall: {
		summary: 'Remove hooks, service and home',
		load: async () => (await import('./uninstall.ts')).uninstall,
	},
	demo: { summary: 'Play five sample sessions', load: async () => (await import('./demo.ts')).demo },
	workflow: {
		summary: "Start, show, pause or stop a session's workflow",
		load: async () => (await import('./workflow.ts')).workflow,
	},
	supervisor: {
		summary: 'Review stops and questions of a session',
		load: async () => (await import('./supervisor.ts')).supervisor,
	},
	feature: {
		summary: 'Create, pause, resume, archive and list features',
		load: async () => (await import('./feature.ts')).feature,
	},
	archive: {
		summary: 'Export, verify and prune archives; back up the home',
		load: async () => (await import('./archive.ts')).archive,
	},
	compare: {
		summary: 'Compare two recorded runs',
		load: async () => (await import('./compare.ts')).compare,
	},
	rejudge: {
		summary: 'Judge recorded calls with other settings',
		load: async () => (await import('./rejudge.ts')).rejudge,
	},
	rules: {
		summary: 'Test a line against the command policy',
		load: async () => (await import('./rules.ts')).rules,
	},
	notify: { summary: 'Send a test notification', load: async () => (await import('./notify.ts')).notify },
	sh: { summary: 'Run one command of the agent shell', load: async () => (await import('./sh.ts')).sh },
	mcp: { summary: 'Let agents query the record (MCP server)', load: async () => (await import('./mcp.ts')).mcp },
	token: { summary: 'Create a token for scripts', load: async () => (await import('./token.ts')).token },
	audit: {
		summary: 'Verify, export, redact and anchor the journal',
		load: async () => (await import('./audit.ts')).audit,
	},
	hub: { summary: 'Run and manage a hub of many machines', load: async () => (await import('./hub.ts')).hub },
	join: { summary: 'Join this machine to a hub', load: async () => (await import('./join.ts')).join },
	'hub-level': {
		summary: 'Set what may be decided from the hub',
		load: async () => (await import('./hub-level.ts')).hubLevel,
	},
	leave: { summary: 'Leave the hub', load: async () => (await import('./leave.ts')).leave },
	push: { summary: 'Wait until the hub has everything', load: async () => (await import('./push.ts')).push },
	reindex: {
		summary: 'Delete the index; the next start rebuilds it',
		load: async () => (await import('./reindex.ts')).reindex,
	},
	hook: { summary: 'Judge one hook input (clients run this)', load: async () => (await import('./hook.ts')).hook },
};
