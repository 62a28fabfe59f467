import { knownNames } from './find-program.ts';

/** Programs that start no other, or only what files of the project name. Any other is unknown. */
const NAMES =
	'[ test true false : . echo printf cd pwd pushd popd dirs exit return break continue shift wait kill umask ulimit times ' +
	'unset unalias enable disown suspend bg fg bind caller shopt logout let local type which whereis whatis hash help getopt ' +
	'arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown cksum comm csplit cut date df dir dircolors dirname ' +
	'du expand expr factor fmt fold groups head hostid id join link logname ls md5sum mkdir mkfifo mknod mktemp nl nproc od ' +
	'paste pathchk pinky pr printenv ptx readlink realpath rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shred ' +
	'shuf sleep stat stty sum sync tac tail tee touch tr truncate tsort tty uname unexpand uniq unlink uptime users vdir wc ' +
	'who whoami yes grep egrep fgrep zgrep zcat bzcat xzcat zstdcat gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 unzip ' +
	'bc cmp diff diff3 sdiff patch file strings hexdump hd xxd tree column look rev iconv uuidgen cal ncal lsof ps pgrep ' +
	'pkill killall pidof pstree free vmstat iostat mount umount lsblk blkid lscpu lspci lsusb dmesg hostname hostnamectl ' +
	'ping traceroute dig nslookup host netstat ss ifconfig arp route curl jq yq xmllint openssl gpg ssh-keygen ssh-add ' +
	'eslint prettier tsc biome jest vitest mocha playwright vite webpack rollup esbuild next turbo nx pytest ruff black mypy ' +
	'flake8 isort pylint pyright tox pip pipx rustfmt rustup gofmt golangci-lint staticcheck javac jar mvn gradle gradlew ant ' +
	'ctest ninja meson autoconf automake libtool configure pkg-config cpp nm objdump readelf size strip ranlib ar as ld ldd ' +
	'docker docker-compose podman kubectl helm minikube kind terraform aws gcloud az redis-cli mongosh pg_dump pg_restore ' +
	'mysqldump createdb dropdb initdb systemctl journalctl service loginctl apt apt-get apt-cache dpkg-query brew port ' +
	'shellcheck shfmt markdownlint cspell codespell hadolint actionlint gh glab tokei cloc sloccount ctags cscope clear tput ' +
	'reset locale localectl timedatectl sysctl getconf getent passwd chpasswd useradd usermod groupadd';

const known: ReadonlySet<string> = new Set(NAMES.split(' '));
/** System folders of programs: a path to a program there equals its name. */
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

/** Whether a program is known, by its name or by a path to it in a system folder. */
export function isKnownProgram(name: string, word: string, isRead: (name: string) => boolean): boolean {
	if (word.includes('/') && !SYSTEM_FOLDER.test(word)) return false;
	return knownNames(name).some((each) => known.has(each)) || isRead(name);
}
