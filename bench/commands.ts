// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines, not templates.
/*
 * `npm run bench commands`: how many scripts of the packages and of the system the command policy asks about or denies, and
 * what long lines cost. It needs no build; `npx tsx bench/commands.ts` in an older checkout says what it was there.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { judgeCommand } from '#lib/commands/command-policy.ts';

const POLICY = { exclude: ['zap'] };
const FOLDERS = [
	...['/usr/bin', '/usr/sbin', '/etc/init.d', '/etc/cron.daily', '/etc/profile.d', '/var/lib/dpkg/info'],
	...['/usr/lib/git-core', '/usr/lib/apt', '/usr/lib/dpkg', '/usr/share/debconf', '/etc/kernel/postinst.d'],
];
const SHELL = /^#!\s*\/(?:usr\/)?bin\/(?:env )?(?:ba|da)?sh\b/;
const LENGTH = 128 * 1024;
const ROUNDS = 9;

const entriesOf = (folder: string) => {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
};

/** The texts of all different scripts in the packages below a folder. */
function packageScripts(folder: string): string[] {
	return entriesOf(folder).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (!entry.isDirectory()) return [];
		if (entry.name.startsWith('@')) return packageScripts(path);
		return [...scriptsOf(path), ...packageScripts(join(path, 'node_modules'))];
	});
}

function scriptsOf(folder: string): string[] {
	try {
		const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		return Object.values(scripts).filter((text) => typeof text === 'string');
	} catch {
		return [];
	}
}

/** The shell scripts of the system, each as one line that is judged. */
function systemScripts(): string[] {
	const files = FOLDERS.flatMap((folder) => entriesOf(folder).map(({ name }) => join(folder, name)));
	const texts = files.flatMap((path) => {
		try {
			const stat = statSync(path);
			return stat.isFile() && stat.size <= LENGTH ? [readFileSync(path, 'latin1')] : [];
		} catch {
			return [];
		}
	});
	return texts.filter((text) => SHELL.test(text));
}

function count(name: string, texts: readonly string[]): void {
	const found: Record<string, number> = {};
	for (const text of texts) {
		const verdict = judgeCommand(text, POLICY);
		const rule = verdict.decision === 'pass' ? 'pass' : verdict.rule;
		found[rule] = (found[rule] ?? 0) + 1;
	}
	console.log(`${name}: ${texts.length} scripts, ${JSON.stringify(found)}`);
}

const SHAPES = [
	...['X=a;', 'X=a && ', 'ls;', 'ls|', 'ls a b c ', "'a' ", '"a$X" ', '{ ls; }; ', '$(ls) ', '`ls` ', '((a+1));'],
	...['${a[1]} ', '${X:-a} ', '{a,b} ', 'a* ', 'export A=b;', 'declare -i a=1;', 'for i in a;do ls;done;', '# a\n'],
	...['f(){ ls;};', 'case a in a) ls;;esac;'],
];

/** The processor time of one judgement in milliseconds, as the median. */
function costOf(line: string): number {
	const times = Array.from({ length: ROUNDS }, () => {
		const before = process.cpuUsage();
		judgeCommand(line, POLICY);
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	});
	return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

count('npm', [...new Set(packageScripts(join(import.meta.dirname, '../node_modules')))]);
count('system', systemScripts());
for (const shape of SHAPES) {
	const line = shape.repeat(Math.floor(LENGTH / shape.length));
	console.log(`${JSON.stringify(shape)} x ${LENGTH / 1024} KiB: ${costOf(line).toFixed(1)} ms`);
}
