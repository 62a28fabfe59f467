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
}

const plain: Wrapper = { short: '', long: '' };
const guessed: Wrapper = { guesses: true };
const runner = (...after: string[]): Wrapper => ({ guesses: true, after });

/** Their options are not known here. */
const GUESSED =
	'strace ltrace valgrind unshare nsenter setpriv systemd-run numactl prlimit firejail proot fakeroot fakechroot ' +
	'xvfb-run dbus-run-session rlwrap unbuffer caffeinate arch setarch linux64 linux32 entr bunx pipx catchsegv ' +
	'eatmydata torsocks proxychains proxychains4 start-stop-daemon chpst softlimit setuidgid dotenv watchexec ' +
	'nodemon uvx chronic daemonize tini ssh-agent runcon run0 choom cgexec cross-env dumb-init i386 linux-x86_64 ' +
	's6-setuidgid x86_64 aa-exec cpulimit distcc ccache sccache gtester grc torify sshpass xinit startx schroot ' +
	'systemd-inhibit systemd-nspawn tsp ts nq forever pm2 wine wine64 box64 scl setpriv memusage heaptrack rr ' +
	'openvt multitime pexec gnice gnohup gstdbuf gtimeout genv mosh-server logsave setlock envdir aws-vault op ' +
	'doppler chamber toolbox flatpak sem qemu-x86_64 qemu-aarch64 tsocks nocache';

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
	chrt: { guesses: 'any-word' },
	bwrap: { guesses: 'any-word' },
	uv: runner('run'),
	poetry: runner('run'),
	pipenv: runner('run'),
	pdm: runner('run'),
	hatch: runner('run'),
	conda: runner('run'),
	npm: { ...runner('exec', 'x'), scripts: ['c', 'call'] },
	pnpm: runner('exec', 'dlx'),
	yarn: runner('exec', 'dlx'),
	bun: runner('x'),
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
	nvm: runner('exec', 'run'),
	vagrant: runner('exec'),
	task: runner('execute'),
	csvtool: runner('call'),
	machinectl: runner('shell'),
	capsh: { after: ['--'], guesses: true },
	ksu: { after: ['-e'], guesses: true },
	devbox: runner('run'),
};

/** What is known of a command that wraps another. */
export function wrapperOf(name: string): Wrapper | undefined {
	if (/^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/.test(name)) return guessed;
	return Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
}
