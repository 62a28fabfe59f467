import { type ProgramRow, readTable } from './program-row.ts';

const SSH_KEYS = '^(?:proxycommand|proxyjump|localcommand|knownhostscommand|xauthlocation|include)$';

/** Programs of a system that can start another one: for other machines, archives, files, packages, terminals. */
export const systemPrograms: readonly ProgramRow[] = readTable(String.raw`
hg chg sl ; script debugshell ; begins ^(?:en|de)code\..*?=(?:pipe|tempfile): ; language python ; codeIn input ; setting --config ; keys ^(?:alias|hooks|hgk|merge-tools|ui|pager|email|gpg|extensions|extdiff|schemes|fix|encode|decode)\. ; runs -c --command -e --ssh --remotecmd -t --tool -p --program --filter
svn svnadmin svnsync svnlook ; runs --diff-cmd --diff3-cmd --merge-cmd --editor-cmd ; setting --config-option ; keys (?:cmd|tunnels|editor|diff)
cvs ; runs -e ; begins :ext;.*rsh=
git-remote-ext git-shell ; words
gh ; runs --shell -s --editor ; file import
jj ; hides --config --config-toml --config-file
fossil ; runs --ssh-command --command editor ssh-command gdiff-command diff-command ; code sql ; language sqlite ; codeIn input
darcs ; runs --external-merge --diff-command
ssh slogin autossh ; setting -o ; keys ${SSH_KEYS} ; file -F ; hides -I ; starts -J ; flags 46AaCfGgKkMNnqsTtVvXxYy ; values -i -l -p -L -R -D -b -c -e -m -O -Q -S -W -w -E -B
scp ; runs -S -D ; setting -o ; keys ${SSH_KEYS} ; file -F ; starts -J ; flags 346ABCOpqRrTsv ; values -i -l -P -c -X
sftp ; runs -S -D ; setting -o ; keys ${SSH_KEYS} ; file -F ; code -b ; starts -J ; flags 46AaCfNpqrv ; values -i -l -P -c -X -B -R -s ; language bang ; codeIn input
rsync ; runs -e --rsh --rsync-path ; flags 46aAbcCdDEgGhHiIklLmnNoOpPqrRsStuUvWxXyz
sshfs mosh sshuttle ; runs --ssh -e --ssh-cmd --server --client --family ; setting -o ; keys ^(?:ssh_command|proxycommand|sftp_server)$
ssh-keygen ssh-add ssh-keyscan ; hides -D -s -w
rclone restic duplicity ; runs --password-command --rsh --sftp-ssh --ssh --rclone.program --exec --metadata-mapper --auth-proxy ; rest --stdin-from-command ; setting -o --option ; keys command|program|args ; begins ssh=
borg borg2 ; runs --rsh --remote-path ; words
rdiff-backup ; runs --remote-schema
unison ; runs -sshcmd -servercmd
yt-dlp youtube-dl ; runs --exec --exec-before-download --downloader --external-downloader --netrc-cmd ; file --config-location --config-locations --batch-file ; begins before_dl:|after_move:|after_filter:|post_process:|video:|playlist:
nc ncat netcat ; runs -e -c --exec --sh-exec --lua-exec ; flags 46bCdDhklnNrStuUvZz
socat ; begins exec:|system:|shell:
wget wget2 ; runs --use-askpass ; setting -e --execute ; keys ^use_?askpass$ ; flags bcdEFHhKkLmNnpqrSVvx46
aria2c ; runs --on-download-start --on-download-complete --on-download-error --on-download-stop --on-download-pause --on-bt-download-complete
ftp lftp ncftp tnftp telnet psftp tftp ; code -c -e ; language bang ; codeIn input
smbclient ; code -c --command ; language bang ; codeIn input
openvpn ; runs --up --down --ipchange --route-up --route-pre-down --tls-verify --auth-user-pass-verify --client-connect --client-disconnect --learn-address --iproute ; file --config
tcpdump ; runs -z
tshark wireshark dumpcap ; hides -X
nmap ; file --script ; hides --interactive
certbot ; runs --pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook
dhclient ; runs -sf
udhcpc udhcpc6 ; runs -s --script
dhcpcd ; runs -c --script
dnsmasq ; runs --dhcp-script -6
wpa_cli hostapd_cli ; runs -a
pppd ; words
websocat ; runs --exec ; begins exec:|sh-c:|cmd:
httpd apache2 apachectl apache2ctl ; file -f ; begins \|
nginx haproxy lighttpd rsyslogd syslog-ng wpa_supplicant caddy ; file -c -f --config
nft tc ifup ; file -f -i -b -batch --file --interfaces
busctl ; hides --address StartTransientUnit ; words
dbus-send gdbus qdbus ; words
check_by_ssh ssh-copy-id ; setting -o ; keys ${SSH_KEYS}
iptables iptables-restore ip6tables ip6tables-restore ebtables arptables ; runs -M --modprobe
inetd xinetd stunnel stunnel4 ; hides -fd ; language other ; codeIn input
rtorrent ; hides -o -O
w3m ; setting -o ; keys (?:browser|mailer|editor|pager|cgi|urimethod)
lynx ; runs -editor ; file -cfg
msfconsole ; runs -x
sqlmap ; code --eval ; language python
tar gtar bsdtar ; runs -I -F --use-compress-program --to-command --info-script --new-volume-script --rsh-command --rmt-command ; setting --checkpoint-action ; keys ^exec$ ; flags AcdrtuxWkUOpsSbBzZjJvwhPlmnNGgoraf0 ; values -f -C -T -X -b -L -N -g -K -V -H
cpio ; runs --rsh-command
zip ; runs -TT --unzip-command
dar ; runs -E --execute
afio ; runs -P
star ; runs -compress-program
dwdiff ; runs --diff-program
split gsplit ; runs --filter
sort gsort ; runs --compress-program
ln cp mv install gln gcp gmv ginstall ; runs --strip-program ; copies
fd fdfind ; rest -x -X --exec --exec-batch
rg ; runs --pre --hostname-bin
ag ack ugrep ug ; runs --pager --view ; begins ^--filter=[^:]*:|^\*?\w*:
bat batcat delta ; runs --pager
fzf sk ; runs --preview --become --with-shell --cmd -c ; hides --bind
less more most pg pager sensible-pager ; code + ; language bang
diff3 sdiff ; runs --diff-program
rename prename file-rename perl-rename ; code -e ; language perl ; codeIn first-word
cowsay cowthink ; file -f
convert magick identify display composite mogrify montage compare import animate stream conjure gm ; begins \|
man apropos whatis ; runs -P -H --pager --html -Tps ; flags adfhiklkwWcDtuVZ7
logrotate ; runs -m --mail ; file -s ; wordsAreFiles
packer ; file build validate ; wordsAreFiles
exiftool ; code -if ; language perl
enscript ; runs -I --filter
run-mailcap ; runs --viewer
mail mailx mutt neomutt ; runs --exec -e ; language bang ; codeIn input
emacs emacsclient xemacs ; code --eval -eval --execute -execute -e ; file -l --load --script -script ; language other
nano pico ; runs -s --speller
dpkg dpkg-deb ; runs --pre-invoke --post-invoke --status-logger
dpkg-architecture ; runs -c --command
dpkg-buildpackage debuild ; runs -p -r -R --sign-command --check-command --rules-file --root-command --hook-init --hook-preclean --hook-source --hook-build --hook-binary --hook-buildinfo --hook-changes --hook-postclean --hook-check --hook-sign --hook-done
	--dpkg-buildpackage-hook --lintian-hook --signing-hook --post-dpkg-buildpackage-hook
sbuild ; runs --pre-build-commands --chroot-setup-commands --starting-build-commands --finished-build-commands --chroot-cleanup-commands --post-build-commands --external-commands
apt apt-get aptitude apt-cache apt-mark apt-config apt-ftparchive ; file -c --config-file ; begins -invoke=|--status-logger= ; setting -o --option ; keys
	(?:invoke|hooks?|install-pkgs|pager|cmd|bin::|dir::bin|::exec|methods|proxy-auto-detect|gpgvcommand|compressor::.*::binary) ; flags dfhmqsuvVy
rpm rpmdb rpmquery rpmverify rpmbuild ; hides --eval -E --define -D --pipe --load --macros
dnf yum zypper microdnf ; hides --setopt=pluginpath --config
gpg gpg2 gpgsm gpgv gpgtar gpg-zip gpg-agent gpg-connect-agent dirmngr ; runs --agent-program --dirmngr-program --photo-viewer --exec-path --pinentry-program --scdaemon-program --tpm2daemon-program --keyboxd-program --gpg --exec -E ; file --options
agetty getty telnetd ; runs -l --login-program
mount ; begins fuse\. ; language fuse ; codeIn words
modprobe ; file -C --config
sysctl ; begins core_pattern=\||modprobe=|hotplug=|poweroff_cmd=
xdg-user-dir ; language name ; codeIn words
scriptlive ; runs -c --command
tdbtool ; language bang ; codeIn words
bconsole ; language other ; codeIn input
knife ; code -E --exec ; language ruby
nix nix-shell nix-build nix-env nix-instantiate ; runs --run --command -c --post-build-hook post-build-hook build-hook diff-hook ; begins #|builder\s*=\s*"? ; code -E --expr ; language other ; wordsAreFiles
asciinema termtosvg ttyrec ; runs -c --command -e
stap dtrace ; runs -c
flatpak ; starts --command
firejail mise npx ; runs --shell --script-shell
valgrind ; runs --db-command
rr ; runs -d --debugger
genie ; rest -c --command
mispipe pee scl sops mprocs ; words
strace ltrace ; pipes -o --output
dmsetup ; runs --exec
debugfs ; code -R ; language bang ; codeIn input
crash ; language bang ; codeIn input
systemd-run ; hides -S --shell ; setting -p --property ; keys ^Exec
systemctl ; hides --stdin
chsh usermod useradd adduser ; starts -s --shell
helm ; runs --post-renderer
terragrunt ; runs --terragrunt-tfpath --tf-path
kubectl ; file --kubeconfig ; runs --exec-command
crontab fcrontab ; language crontab ; codeIn input
at batch ; language job ; codeIn input
ansible ansible-console ansible-playbook ansible-inventory ansible-vault ansible-pull ; runs -a --args --vault-password-file --vault-pass-file ; starts -i --inventory --inventory-file --vault-id ; begins interpreter=|@/ ; wordsAreFiles
chef-apply chef-client chef-shell ; code -e --execute ; language ruby
salt-call salt ; hides cmd.run
puppet ; code -e --execute ; language other
pidstat ; rest -e
capsh ; starts --shell
dbus-run-session ; starts --dbus-daemon
start-stop-daemon ; starts -x --exec -a --startas
savelog ; runs -x
scrot maim ; runs -e --exec
xterm urxvt rxvt konsole gnome-terminal alacritty kitty foot footclient terminator xfce4-terminal wezterm ghostty tilix st x-terminal-emulator lxterminal mate-terminal terminology cool-retro-term guake ; rest -e -x --execute -- start ; runs --command ; begins
	^shell=|default_prog=\{?"? ; words
kitten ; runs --shell
lxc-create ; starts -t --template
bwrap ; hides --args
xdotool ; rest exec
dvips ; hides -R0
latex pdflatex xelatex lualatex tex pdftex xetex luatex luahbtex ; hides -shell-escape --shell-escape -enable-write18 --enable-write18 -enable-pipes --lua -output-driver
latexmk ; runs -latex -pdflatex -xelatex -lualatex -bibtex -makeindex ; code -e ; language perl
pandoc ; runs -F --filter --pdf-engine --latex-engine ; file -L --lua-filter -d --defaults
nroff groff troff soelim tbl eqn pic grap ; hides -U
gs ghostscript ; hides -dNOSAFER --no-safer
getconf ; runs -v
openssl ; file -engine ; hides -pre
ld.so ; hides --preload --audit
parallel env_parallel sem ; runs --compress-program --decompress-program --limit --ssh --env-shell ; hides --rpl --filter ; begins \{=(?:.*?(?:system|exec|qx)\W*)? ; starts -S --sshlogin
docker podman buildah nerdctl runc crun ; runs --runtime --conmon --criu --network-cmd-path ; begins proxycommand=
docker-compose ; wordsAreFiles
varlinkctl ; begins exec:
mkosi ; runs --postinst-script --build-script --finalize-script --prepare-script --postoutput-script --clean-script --sync-script
rofi ; runs -run-command ; begins ^[\w-]+:
dialog yad ; words ; runs --command --prgbox
peco ; runs --exec
gitk ; runs --argscmd
lazygit ; code -c ; language other ; wordsAreFiles
ccache ; begins (?:prefix_command|prefix_command_cpp|compiler)=|prefix_command\s
uwsgi ; begins ^exec:|cron= ; runs --exec-pre-jail --exec-post-jail --exec-in-jail --exec-as-root --exec-as-user --exec-as-user-atexit --exec-pre-app --exec-post-app --attach-daemon --smart-attach-daemon --attach-control-daemon --legion-attach-daemon ; hides
	--cron --unique-cron ; wordsAreFiles
supervisord circusd honcho foreman overmind hivemind goreman forego mk modd mkdocs sphinx-build pytest incrontab tig goreleaser air cpack compiledaemon clang-tidy clang-format ; wordsAreFiles ; begins
	python=|(?:graphviz_dot|dot_program|latex_engine)=|cpack_\w*commands=|(?:cmd|bin|full_bin)[=\s] ; runs --build.cmd --build.bin --build.full_bin -build.cmd -build.bin -build.full_bin -command -build
bzr brz ; begins ^-o?\w*(?:editor|cmd)=
electron-builder release-it standard-version np semantic-release ; runs --test-script --scripts.prerelease --scripts.prebump --scripts.postbump --scripts.precommit --scripts.postcommit --scripts.pretag --scripts.posttag ; begins hooks\.\S*?=|scripts\.\S*?=
	; wordsAreFiles
`);
