import type { HookRun } from '#hooks-bridge/ports/ports.ts';
import type { DoorReport } from './door-port.ts';
import type { Unwritten } from './kept-lines.ts';

/** Gathers what hooks come to, and reports it once a turn, when the last report was heard. */
export interface Reporter {
	hook(): void;
	appended(sessionId: string, lines: number): void;
	client(sessionId: string, pid: number): void;
	run(sessionId: string, run: HookRun): void;
	prompt(sessionId: string): void;
	/** A hook was judged by another text of a config; `root` is empty for the home's own. */
	config(root: string, text: string): void;
	/** Other lines wait for the disk. */
	unwritten(unwritten: Unwritten): void;
	/** The other side is done with the last report. */
	heard(): void;
}

/** Of one config, between two reports. */
const MOST_TEXTS = 20;

const emptyReport = (): DoorReport => ({
	hooks: 0,
	lines: new Map(),
	clients: new Map(),
	runs: new Map(),
	prompts: new Set(),
	configs: new Map(),
});

export function createReporter(send: (report: DoorReport) => void): Reporter {
	let report = emptyReport();
	let isHeard = true;
	let isDue = false;

	function sendDue() {
		isDue = false;
		if (!isHeard) return;
		isHeard = false;
		send(report);
		report = emptyReport();
	}

	/** After the hooks of this turn are answered. */
	function change() {
		if (isDue) return;
		isDue = true;
		if (isHeard) queueMicrotask(sendDue);
	}

	return {
		hook() {
			report.hooks += 1;
			change();
		},
		appended(sessionId, lines) {
			report.lines.set(sessionId, (report.lines.get(sessionId) ?? 0) + lines);
			change();
		},
		client(sessionId, pid) {
			report.clients.set(sessionId, pid);
			change();
		},
		run(sessionId, run) {
			report.runs.set(sessionId, run);
			change();
		},
		prompt(sessionId) {
			report.prompts.add(sessionId);
			change();
		},
		config(root, text) {
			report.configs.set(root, [...(report.configs.get(root) ?? []), text].slice(-MOST_TEXTS));
			change();
		},
		unwritten(unwritten) {
			// What was lost is told, also where something waits again before anybody heard of it.
			report.unwritten = { ...unwritten, lost: Math.max(unwritten.lost, report.unwritten?.lost ?? 0) };
			change();
		},
		heard() {
			isHeard = true;
			if (isDue) sendDue();
		},
	};
}
