import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { roleMarker } from './script.ts';

/** A routing plan as seed 000 has it. */
export interface RoutingPlan {
	planId: string;
	status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';
	request?: string;
	phases: { phase: number; tasks: { id: string; agent: string; description: string; status: string }[] }[];
}

/** A temporary project with a home of its own, so that nothing of the person's set-up is read or written. */
export interface TestProject {
	/** Holds everything below. */
	root: string;
	/** The agent's working directory. */
	dir: string;
	/** HOME of the client. */
	home: string;
	/** OVERTONE_HOME; short, because it holds a socket. */
	overtoneHome: string;
	/** Writes a file of the project; folders appear as needed. */
	write(relative: string, text: string): void;
	writePlan(plan: RoutingPlan): void;
	/** A person has trusted the folder: only then the client loads plugins here. */
	trust(): void;
	remove(): void;
}

/** Writes the project with one file an agent; each agent's body carries the marker by which its script is found. */
export function createProject(
	options: { name?: string; agents?: readonly string[]; plan?: RoutingPlan } = {},
): TestProject {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'sbx-')));
	const dir = join(root, options.name ?? 'shop');
	const project: TestProject = {
		root,
		dir,
		home: join(root, 'home'),
		overtoneHome: join(root, 'o'),
		write(relative, text) {
			const path = join(dir, relative);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
		},
		writePlan(plan) {
			project.write('.vibe-engine/routing-state.json', `${JSON.stringify(plan, null, 2)}\n`);
		},
		trust() {
			mkdirSync(join(project.home, '.claude'));
			const projects = { [dir]: { hasTrustDialogAccepted: true } };
			writeFileSync(join(project.home, '.claude/.claude.json'), JSON.stringify({ projects }));
		},
		remove() {
			// What a killed client has started may write for some seconds more.
			rmSync(root, { recursive: true, force: true, maxRetries: 15, retryDelay: 50 });
		},
	};
	for (const folder of [dir, project.home, project.overtoneHome, join(root, 'tmp')]) mkdirSync(folder);
	for (const agent of options.agents ?? []) {
		project.write(
			`.claude/agents/${agent}.md`,
			`---\nname: ${agent}\ndescription: The ${agent} of this project.\n---\n\nYou are the ${agent}. ${roleMarker(agent)}\n`,
		);
	}
	if (options.plan) project.writePlan(options.plan);
	return project;
}
