import { readTable } from './programs/program-row.ts';

/** A command that runs the command in its arguments. Lists are words separated by blanks. */
export interface Wrapper {
	names?: string;
	/** Its one-letter options in getopt's form: a colon follows those with a value, two those with an attached one. */
	short?: string;
	/** Its long options by name; `=` follows those with a value. */
	long?: string;
	/** The number of words between its options and the command. */
	words?: string;
	/** `NAME=value` words may precede the command. */
	assigns?: true;
	/** Options may follow these words, too. */
	moreOptions?: true;
	/** Options whose value is a text for a shell. */
	scripts?: string;
	/** The rest is one text for a shell. */
	joins?: true;
	/** Without a command it starts a shell; or with one of these options. */
	startsShell?: string | true;
	/** Without a command it starts a shell that reads its input. */
	readsInput?: true;
	/** With one of these options it runs nothing. */
	onlyReports?: string;
	/** Its options are unknown: the command may be the word after any of them. */
	guesses?: true;
	/** Its options are unknown, and words of its own may precede the command: a user, a file, a profile. */
	anyWord?: true;
	/** It wraps a command only after one of these words. */
	after?: string;
	/** First words that are its own commands; any other is a command to run, or a script of the project. */
	own?: string;
}

/** All commands that wrap others, by their names in lower case. */
export const wrapperRows: readonly (Wrapper & { names: string })[] = readTable(`
builtin nohup noglob nocorrect -
command ; short pvV ; onlyReports v V
exec ; short cla:
jobs ; guesses ; after -x
faketime ; short mpf ; long exclude-monotonic ; words 1
repeat gosu su-exec ; words 1
busybox ; long list help list-full install
toybox ; long long help version
sudo ; short AbBEeHiKklnPSsVvC:D:g:h:p:R:r:T:t:U:u: ; long askpass background bell preserve-env edit set-home login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell version validate close-from= chdir= group= host= prompt=
	chroot= role= command-timeout= type= other-user= user= no-update ; assigns ; startsShell s i shell login
doas ; short Lnsa:C:u: ; startsShell s
pkexec ; long user= disable-internal-agent keep-cwd ; startsShell
newgrp ; short l ; words 1 ; startsShell
nice ; short n: ; long adjustment=
ionice ; short c:n:p:P:u:t ; long class= classdata= pid= pgid= uid= ignore
stdbuf ; short i:o:e: ; long input= output= error=
setsid ; short cfw ; long ctty fork wait
time ; short apqvlhf:o: ; long append portability quiet verbose format= output=
timeout ; short fpvk:s: ; long foreground preserve-status verbose kill-after= signal= ; words 1
chroot ; long groups= userspec= skip-chdir ; words 1 ; startsShell
taskset ; short a ; long all-tasks ; words 1
flock ; short sxeuonFw:E:c: ; long shared exclusive unlock nonblock close no-fork timeout= wait= verbose command= ; words 1 ; scripts c command
watch ; short bcCdeghprtvwxn:q:s: ; long beep color no-color errexit chgexit precise no-rerun no-title no-wrap exec interval= ; joins
ssh ; short 46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w: ; words 1 ; moreOptions ; joins ; readsInput
npx ; guesses ; scripts c call
strace ltrace valgrind unshare nsenter setpriv systemd-run numactl prlimit firejail proot fakeroot fakechroot xvfb-run dbus-run-session rlwrap unbuffer caffeinate arch setarch linux64 linux32 entr bunx catchsegv eatmydata torsocks proxychains proxychains4
	start-stop-daemon chpst softlimit watchexec nodemon uvx chronic daemonize tini ssh-agent run0 choom cross-env cross-env-shell dumb-init i386 linux-x86_64 x86_64 aa-exec distcc ccache sccache gtester grc torify sshpass xinit startx schroot systemd-inhibit tsp
	ts nq forever box64 fexinterpreter memusage heaptrack openvt multitime gnice gnohup gstdbuf gtimeout genv sem qemu-x86_64 qemu-aarch64 tsocks nocache dbus-launch ifne pee mispipe zrun systemd-cat debconf debconf-apt-progress run-one run-this-one
	keep-one-running run-one-constantly run-one-until-success run-one-until-failure bear intercept-build scan-build ledit rlfe authbind empty ttyd gotty ttyrec asciinema termtosvg viddy hwatch austin poop kdesudo gksudo super pfexec wsl flatpak-spawn corepack
	icecc colorgcc pipesz enosys uclampset coresched uname26 s6-setsid s6-background fakeroot-sysv fakeroot-tcp flamegraph reflex xdg-terminal-exec kstart kstart5 gow ocamlrun personality ld.so ; guesses
chrt bwrap runcon setuidgid s6-setuidgid envuidgid s6-envuidgid setlock s6-setlock envdir s6-envdir s6-softlimit logsave gdbserver gpg-agent with-lock-ex dotlockfile cgexec cpulimit scl flatpak mosh-server aws-vault chamber op doppler pexec pm2 rr
	systemd-nspawn systemd-socket-activate tcpserver tcpsvd udpsvd envchain infisical env-cmd wait-for-it dockerize foreman honcho uftrace trace-cmd stap dtrace perf-record py-spy memray distrobox apptainer kcov wine wine64 devenv flox distrobox-enter calife
	onchange viztracer singularity minijail0 nsjail foreground background execlineb pgrphack multitail agetty getty mount.fuse mount.fuse3 mprocs sops volta lerna fnm nx rtx guix nix nix-shell socket msgfilter msgexec dotenvx dotenv rootlesskit lxc-execute
	lxc-attach lxc-start lxc-unshare lxc-usernsexec schedtool trickle graftcp datefudge libfaketime autoexpect kibitz dislocate sexpect niceload env_parallel parset dvtm mtm homectl systemd-notify compiledaemon chruby-exec lldb-server exo-open telnetd ; anyWord
mamba micromamba rustup conda ; anyWord ; after run
direnv jj ; anyWord ; after exec set
tox bundle ip dotnet bundler composer gem cabal stack opam rbenv pyenv nodenv jenv vagrant ; guesses ; after exec
samply ; guesses ; after record
podman buildah ; guesses ; after unshare
npm ; guesses ; after exec x ; scripts c call
pnpm ; guesses ; after exec dlx ; own add audit bin c cat-file cat-index config create dedupe deploy dlx doctor env exec fetch find-hash help i import in init install install-test it la licenses link list ll ln login logout ls outdated pack patch patch-commit
	patch-remove prune publish rb rebuild recursive remove rm root rt run run-script self-update server set setup start stage stop store t test tst un uni uninstall unlink up update upgrade version view why approve-builds ignored-builds
bun ; guesses ; after x run exec ; own add audit build create c exec help i info init install link list outdated patch pm publish remove repl rm run test unlink update upgrade why x
aws ; anyWord ; after configure
yarn ; guesses ; after exec dlx
cmake ; anyWord ; after env time chdir
task ; guesses ; after execute
csvtool ; guesses ; after call
capsh ; after -- -+ == =+ ; guesses
ksu ; after -e ; guesses
uv pipx pixi rye toolbox poetry pipenv pdm hatch devbox ; guesses ; after run exec
tc ; guesses ; after run
fossil ; anyWord ; after all run
mr myrepos proto ; anyWord ; after run
mise ; anyWord ; after exec x ; scripts c command
asdf ; anyWord ; after exec env
nvm n ; anyWord ; after exec run
rvm ; anyWord ; after exec do
aqua mani meta dune west repo gita mu quilt machinectl ; anyWord ; after exec forall shell super foreach
mix r gum cargo ; anyWord ; after cmd CMD spin watch flamegraph
gh glab hub ; anyWord ; after alias config extension ext exec
meson ; anyWord ; after devenv
dlv ; guesses ; after exec debug
`);

export const wrappers = new Map<string, Wrapper>(
	wrapperRows.flatMap((row) => row.names.split(' ').map((name) => [name, row] as const)),
);

/** The lists of the table, each taken apart once. */
const listed = new Map<string, ReadonlySet<string>>();

/** Whether a list of the table has a word. */
export function lists(words: string | true | undefined, word: string): boolean {
	if (typeof words !== 'string') return false;
	const known = listed.get(words) ?? new Set(words.split(' '));
	listed.set(words, known);
	return known.has(word);
}
