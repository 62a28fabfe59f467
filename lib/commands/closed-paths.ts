/** Closed to the sandbox and to the shell's file commands (seed 003): these paths, and files by name anywhere. */
const PLACES = ['~/.ssh', '~/.aws', '~/.gnupg', '~/.config/gcloud', '~/.azure', '/etc/passwd', '/etc/shadow'] as const;
const NAMES = ['.env', '.envrc', '.env.local', 'credentials.json', 'secrets.json'] as const;

/** Paths that may be read but not changed, relative to the project: they determine what runs outside the sandbox. */
export const KEPT_PATHS = [
	'.mcp.json',
	'.claude',
	'.overtone',
	'.git/hooks',
	'.git/config',
	'.git/config.worktree',
] as const;

export interface ClosedPath {
	path: string;
	pattern: string;
}

/** The closed paths of a person, absolute; `home` is the person's folder. */
export function closedPathsOf(home: string): ClosedPath[] {
	return PLACES.map((pattern) => ({ pattern, path: pattern.replace(/^~/, home.replace(/\/+$/, '')) }));
}

/** The pattern that closes a file of this name, wherever it is. */
export function closedName(name: string): string | undefined {
	return NAMES.some((closed) => closed === name) ? `**/${name}` : undefined;
}

/** Whether `path` is `folder` or inside it; both absolute and without links. */
export function isWithin(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The words of a command line that may name a file closed by its name; such files are looked up before it runs. */
export function wordsThatName(line: string): string[] {
	const words = line.split(/[\s'"`$(){}<>|;&=]+/).slice(0, 10_000);
	return words.filter((word) => closedName(word.slice(word.lastIndexOf('/') + 1)) !== undefined);
}
