import type { Command } from '../process/command.ts';

interface TableEntry {
	summary: string;
	/** Loaded only when it is asked for: the hook must not wait for the server's code. */
	load(): Promise<Command>;
}

/** Every command, in the order of `signalbox --help`. */
export const commandTable: Readonly<Record<string, TableEntry>> = {
	start: { summary: 'Run the server', load: async () => (await import('./start.ts')).start },
	open: { summary: 'Print a fresh login link', load: async () => (await import('./open.ts')).open },
	init: { summary: "Register the hooks in a project's settings", load: async () => (await import('./init.ts')).init },
	agents: {
		summary: 'List the clients that are found here',
		load: async () => (await import('./agents.ts')).agents,
	},
	doctor: { summary: 'Check that a project is watched', load: async () => (await import('./doctor.ts')).doctor },
	status: {
		summary: 'Say whether the server runs and what is registered',
		load: async () => (await import('./status.ts')).status,
	},
	service: {
		summary: 'Run the server whenever you are signed in',
		load: async () => (await import('./service.ts')).service,
	},
	upgrade: {
		summary: 'Say what a new version changes in the home',
		load: async () => (await import('./upgrade.ts')).upgrade,
	},
	uninstall: {
		summary: 'Take hooks, service and home back',
		load: async () => (await import('./uninstall.ts')).uninstall,
	},
	demo: { summary: 'Watch five sessions play', load: async () => (await import('./demo.ts')).demo },
	workflow: {
		summary: "Start, show, pause or stop a session's workflow",
		load: async () => (await import('./workflow.ts')).workflow,
	},
	supervisor: {
		summary: 'Have stops and questions of a session reviewed',
		load: async () => (await import('./supervisor.ts')).supervisor,
	},
	feature: {
		summary: 'Make, pause, resume, archive and list features',
		load: async () => (await import('./feature.ts')).feature,
	},
	archive: {
		summary: 'Export, verify and open archived features',
		load: async () => (await import('./archive.ts')).archive,
	},
	compare: {
		summary: 'Lay two recorded runs side by side',
		load: async () => (await import('./compare.ts')).compare,
	},
	rejudge: {
		summary: 'Ask what other settings would have said',
		load: async () => (await import('./rejudge.ts')).rejudge,
	},
	rules: {
		summary: 'Ask what the command policy says of a line',
		load: async () => (await import('./rules.ts')).rules,
	},
	notify: { summary: 'Try the channels that tell people', load: async () => (await import('./notify.ts')).notify },
	sh: { summary: 'Run a command of the agent shell', load: async () => (await import('./sh.ts')).sh },
	mcp: { summary: 'Answer agents about what is recorded', load: async () => (await import('./mcp.ts')).mcp },
	token: { summary: 'Make a token for scripts', load: async () => (await import('./token.ts')).token },
	audit: { summary: 'Verify, export and anchor the journal', load: async () => (await import('./audit.ts')).audit },
	hub: { summary: 'Run a hub of many machines', load: async () => (await import('./hub.ts')).hub },
	join: { summary: 'Show this machine on a hub', load: async () => (await import('./join.ts')).join },
	'hub-level': {
		summary: 'Say what is decided from the hub',
		load: async () => (await import('./hub-level.ts')).hubLevel,
	},
	leave: { summary: 'Leave the hub', load: async () => (await import('./leave.ts')).leave },
	push: { summary: 'Wait until the hub has everything', load: async () => (await import('./push.ts')).push },
	reindex: { summary: 'Throw the index away', load: async () => (await import('./reindex.ts')).reindex },
	hook: { summary: 'Answer one hook input (agents run this)', load: async () => (await import('./hook.ts')).hook },
};
