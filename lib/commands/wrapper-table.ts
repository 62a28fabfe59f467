/** A command that runs the command named in its arguments. */
export interface Wrapper {
	/** Its one-letter options as getopt takes them: a colon follows those with a value, two those with an attached one. */
	short?: string;
	/** Its long options, by their names with blanks between; `=` follows those with a value. */
	long?: string;
	/** How many words stand between its options and the command. */
	words?: number;
	/** `NAME=value` words may stand before the command. */
	assigns?: true;
	/** Options may follow these words, too. */
	moreOptions?: true;
	/** Options whose value is a text for a shell. */
	scripts?: readonly string[];
	/** The rest is one text for a shell. */
	joins?: true;
	/** Without a command it starts a shell; or with one of these options. */
	startsShell?: true | readonly string[];
	/** Without a command a shell reads its input. */
	readsInput?: true;
	/** With one of these options it runs nothing. */
	onlyTells?: readonly string[];
	/** Its options are not known here: the command may be the word after any of them, or `any-word`. */
	guesses?: true | 'any-word';
	/** It wraps a command only after one of these first words. */
	after?: readonly string[];
	/** Its own first words, where it runs any other as a command. */
	own?: readonly string[];
}

const plain: Wrapper = { short: '', long: '' };
const guessed: Wrapper = { guesses: true };
const runner = (...after: string[]): Wrapper => ({ guesses: true, after });

/** Their options are not known here. */
const GUESSED =
	'strace ltrace valgrind unshare nsenter setpriv systemd-run numactl prlimit firejail proot fakeroot fakechroot ' +
	'xvfb-run dbus-run-session rlwrap unbuffer caffeinate arch setarch linux64 linux32 entr bunx catchsegv ' +
	'eatmydata torsocks proxychains proxychains4 start-stop-daemon chpst softlimit dotenv watchexec ' +
	'nodemon uvx chronic daemonize tini ssh-agent run0 choom cross-env cross-env-shell dumb-init i386 linux-x86_64 ' +
	'x86_64 aa-exec distcc ccache sccache gtester grc torify sshpass xinit startx schroot ' +
	'systemd-inhibit tsp ts nq forever box64 fexinterpreter memusage heaptrack ' +
	'openvt multitime gnice gnohup gstdbuf gtimeout genv ' +
	'sem qemu-x86_64 qemu-aarch64 tsocks nocache ' +
	'dbus-launch ifne pee mispipe zrun systemd-cat debconf debconf-apt-progress run-one run-this-one ' +
	'keep-one-running run-one-constantly run-one-until-success run-one-until-failure bear intercept-build scan-build ' +
	'ledit rlfe authbind empty ttyd gotty ttyrec asciinema termtosvg viddy hwatch austin poop kdesudo gksudo super pfexec wsl flatpak-spawn corepack icecc colorgcc ' +
	'pipesz enosys uclampset coresched uname26 s6-setsid s6-background fakeroot-sysv fakeroot-tcp flamegraph reflex';

/** The same, with words of their own before the command: of a user, a file, a profile. */
const GUESSED_BEHIND_WORDS =
	'chrt bwrap runcon setuidgid s6-setuidgid envuidgid s6-envuidgid setlock s6-setlock envdir s6-envdir s6-softlimit ' +
	'logsave gdbserver gpg-agent with-lock-ex dotlockfile cgexec cpulimit scl flatpak mosh-server aws-vault chamber op ' +
	'doppler pexec pm2 rr systemd-nspawn systemd-socket-activate tcpserver tcpsvd udpsvd envchain infisical env-cmd ' +
	'wait-for-it dockerize foreman honcho uftrace trace-cmd stap dtrace perf-record py-spy memray distrobox apptainer ' +
	'kcov wine wine64 devenv flox distrobox-enter calife onchange viztracer singularity minijail0 nsjail foreground background execlineb pgrphack multitail agetty getty mount.fuse mount.fuse3 ' +
	'mprocs sops volta lerna fnm nx rtx guix nix nix-shell socket msgfilter msgexec dotenvx';

/** What is none of these is a script of the project, else a program of the PATH. */
const PNPM =
	'add audit bin c cat-file cat-index config create dedupe deploy dlx doctor env exec fetch find-hash help i import in init ' +
	'install install-test it la licenses link list ll ln login logout ls outdated pack patch patch-commit patch-remove prune ' +
	'publish rb rebuild recursive remove rm root rt run run-script self-update server set setup start stage stop store t test tst ' +
	'un uni uninstall unlink up update upgrade version view why approve-builds ignored-builds';

/** By name, in lower case. */
const wrappers: Readonly<Record<string, Wrapper>> = {
	builtin: plain,
	command: { short: 'pvV', onlyTells: ['v', 'V'] },
	exec: { short: 'cla:' },
	nohup: plain,
	noglob: plain,
	nocorrect: plain,
	'-': plain,
	jobs: runner('-x'),
	faketime: { short: 'mpf', long: 'exclude-monotonic', words: 1 },
	repeat: { words: 1 },
	busybox: { long: 'list help list-full install' },
	toybox: { long: 'long help version' },
	sudo: {
		short: 'AbBEeHiKklnPSsVvC:D:g:h:p:R:r:T:t:U:u:',
		long: 'askpass background bell preserve-env edit set-home login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell version validate close-from= chdir= group= host= prompt= chroot= role= command-timeout= type= other-user= user= no-update',
		assigns: true,
		startsShell: ['s', 'i', 'shell', 'login'],
	},
	doas: { short: 'Lnsa:C:u:', startsShell: ['s'] },
	pkexec: { long: 'user= disable-internal-agent keep-cwd', startsShell: true },
	gosu: { words: 1 },
	'su-exec': { words: 1 },
	newgrp: { short: 'l', words: 1, startsShell: true },
	nice: { short: 'n:', long: 'adjustment=' },
	ionice: { short: 'c:n:p:P:u:t', long: 'class= classdata= pid= pgid= uid= ignore' },
	stdbuf: { short: 'i:o:e:', long: 'input= output= error=' },
	setsid: { short: 'cfw', long: 'ctty fork wait' },
	time: {
		short: 'apqvlhf:o:',
		long: 'append portability quiet verbose format= output=',
	},
	timeout: {
		short: 'fpvk:s:',
		long: 'foreground preserve-status verbose kill-after= signal=',
		words: 1,
	},
	chroot: { long: 'groups= userspec= skip-chdir', words: 1, startsShell: true },
	taskset: { short: 'a', long: 'all-tasks', words: 1 },
	flock: {
		short: 'sxeuonFw:E:c:',
		long: 'shared exclusive unlock nonblock close no-fork timeout= wait= verbose command=',
		words: 1,
		scripts: ['c', 'command'],
	},
	watch: {
		short: 'bcCdeghprtvwxn:q:s:',
		long: 'beep color no-color errexit chgexit precise no-rerun no-title no-wrap exec interval=',
		joins: true,
	},
	ssh: {
		short: '46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:',
		words: 1,
		moreOptions: true,
		joins: true,
		readsInput: true,
	},
	npx: { ...guessed, scripts: ['c', 'call'] },
	...Object.fromEntries(GUESSED.split(/\s+/).map((name) => [name, guessed])),
	...Object.fromEntries(
		GUESSED_BEHIND_WORDS.split(' ').map((name): [string, Wrapper] => [name, { guesses: 'any-word' }]),
	),
	uv: runner('run'),
	pipx: runner('run'),
	pixi: runner('run'),
	rye: runner('run'),
	mamba: { ...runner('run'), guesses: 'any-word' },
	micromamba: { ...runner('run'), guesses: 'any-word' },
	rustup: { ...runner('run'), guesses: 'any-word' },
	tox: runner('exec'),
	samply: runner('record'),
	toolbox: runner('run'),
	podman: runner('unshare'),
	buildah: runner('unshare'),
	jj: runner('exec'),
	poetry: runner('run'),
	pipenv: runner('run'),
	pdm: runner('run'),
	hatch: runner('run'),
	conda: { ...runner('run'), guesses: 'any-word' },
	npm: { ...runner('exec', 'x'), scripts: ['c', 'call'] },
	pnpm: { ...runner('exec', 'dlx'), own: PNPM.split(' ') },
	gh: { ...runner('alias', 'config'), guesses: 'any-word' },
	glab: { ...runner('alias', 'config'), guesses: 'any-word' },
	hub: { ...runner('alias'), guesses: 'any-word' },
	aws: { ...runner('configure'), guesses: 'any-word' },
	yarn: runner('exec', 'dlx'),
	bun: runner('x', 'run', 'exec'),
	bundle: runner('exec'),
	mise: runner('exec', 'x'),
	asdf: runner('exec'),
	direnv: runner('exec'),
	cmake: { ...runner('env', 'time', 'chdir'), guesses: 'any-word' },
	ip: runner('exec'),
	dotnet: runner('exec'),
	bundler: runner('exec'),
	composer: runner('exec'),
	gem: runner('exec'),
	cabal: runner('exec'),
	stack: runner('exec'),
	opam: runner('exec'),
	rbenv: runner('exec'),
	pyenv: runner('exec'),
	nodenv: runner('exec'),
	rvm: runner('exec', 'do'),
	nvm: { ...runner('exec', 'run'), guesses: 'any-word' },
	n: { ...runner('exec'), guesses: 'any-word' },
	jenv: runner('exec'),
	vagrant: runner('exec'),
	task: runner('execute'),
	csvtool: runner('call'),
	machinectl: { ...runner('shell'), guesses: 'any-word' },
	capsh: { after: ['--', '-+', '==', '=+'], guesses: true },
	tc: runner('run'),
	ksu: { after: ['-e'], guesses: true },
	devbox: runner('run'),
};

/** All of them, by name. */
export const wrapperRows: readonly [string, Wrapper][] = Object.entries(wrappers);

/** What is known of a command that wraps another. */
export function wrapperOf(name: string): Wrapper | undefined {
	if (/^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/.test(name)) return guessed;
	return Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
}
