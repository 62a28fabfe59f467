import { isWithin } from './closed-paths.ts';

/** What a sandboxed command can reach on the machine. All paths are absolute, exist, and contain no link. */
export interface SandboxView {
	cwd: string;
	/** Folders it may write to. */
	writable: readonly string[];
	/** Files and folders among these that it may only read. */
	kept: readonly string[];
	closed: readonly { path: string; folder: boolean }[];
	/** An empty file and an empty folder without rights, mounted in place of closed paths. */
	blank: { file: string; folder: string };
	/** Folders that appear empty: sockets in them lead out of the sandbox. */
	emptied: readonly string[];
}

/** Variables that name ways out of the sandbox. */
const UNSET = ['SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'];

/**
 * The arguments of bubblewrap up to the command: read-only root, some writable folders, no network, own processes, no
 * capabilities. Later mounts cover earlier ones, so a closed path in a writable folder stays closed. `how` says who ends it, and
 * where it reports that the command has really begun.
 */
export function sandboxArguments(view: SandboxView, how: readonly string[]): string[] {
	const { cwd, writable, kept, closed, blank, emptied } = view;
	return [
		'--unshare-all',
		...how,
		...['--cap-drop', 'ALL'],
		...['--ro-bind', '/', '/'],
		...['--dev', '/dev'],
		...['--proc', '/proc'],
		...emptied.flatMap((path) => ['--tmpfs', path]),
		// A writable root would be no sandbox.
		...writable.filter((path) => path !== '/').flatMap((path) => ['--bind', path, path]),
		...foldersAround(kept, writable).flatMap((path) => ['--bind', path, path]),
		...kept.flatMap((path) => ['--ro-bind', path, path]),
		...closed.flatMap(({ path, folder }) => ['--ro-bind', folder ? blank.folder : blank.file, path]),
		...UNSET.flatMap((name) => ['--unsetenv', name]),
		...['--chdir', cwd],
		'--',
	];
}

/**
 * The folders that contain a read-only path, below writable ones. As mounts of their own they cannot be renamed: a moved folder
 * would take the mounts inside it along, and another could be put in its place.
 */
function foldersAround(kept: readonly string[], writable: readonly string[]): string[] {
	const around = new Set<string>();
	for (const path of kept) {
		for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
			const folder = path.slice(0, at);
			if (writable.some((root) => root !== '/' && folder !== root && isWithin(folder, root))) around.add(folder);
		}
	}
	return [...around].sort((one, other) => one.length - other.length);
}
