import { type ProgramRow, readTable } from './program-row.ts';

/** Programs for code that can start another one: compilers, builds, debuggers, editors, databases, languages. */
export const languagePrograms: readonly ProgramRow[] = readTable(String.raw`
gcc g++ cc c++ cpp c89 c99 clang clang++ clang-cl hipcc nvcc gfortran gnat ; runs -wrapper --wrapper -fuse-ld ; file -specs --specs -plugin -fplugin -fpass-plugin -Xclang ; hides -B ; wordsAreFiles ; starts --ld-path -ccc-gcc-name
tcc ; hides -run
ld gold ; file -plugin --plugin
rustc ; starts -Zlinker ; begins -wrapper\s ; setting -C --codegen ; keys ^linker$|^link-args?$
rustdoc ; runs --runtool --test-runtool ; setting -C --codegen ; keys ^linker$
cargo ; setting --config ; keys (?:wrapper|runner|linker|rustc|rustdoc|alias|credential|executable|browser) ; runs -s --shell --cmd -c --use-shell --script --runner --target-runner --linker ; code eval ; language other ; wordsAreFiles
cargo-watch ; runs -s --shell --use-shell
go ; runs -exec -toolexec -vettool ; begins extld[=\s]|-wrapper[=\s,]|-fuse-ld= ; wordsAreFiles
cmake ; file -P -C --toolchain ; runs --tidy --launcher --iwyu --lwyu --cpplint --cppcheck ; setting -D ; keys (?:_COMPILER|_PROGRAM|_LAUNCHER|_EXECUTABLE|_LINKER|_TIDY|_CPPLINT|_CPPCHECK|_YOU_USE|_EMULATOR|_INCLUDES?|TOOLCHAIN_FILE)(?::\w+)?$
ctest ; file -S --script -SP ; begins command= ; rest --test-command --launch ; runs --build-makeprogram
gradle gradlew ; begins -xx:on\w+= ; file -I --init-script -b --build-file -c --settings-file
mvn mvnw ; setting -D --define ; keys ^(?:exec\.executable|jvm)$ ; file -f --file -s --settings
ant scons waf nox doit invoke inv ; file -f -file -buildfile --file --sconstruct --makefile -c ; runs --shell
fab ; rest --
sbt amm ; code -c --code ; language other ; codeIn words
ocamlfind ocamlopt ocamlc ocamlbuild ocamlmklib dune opam ; runs -pp -ppx -cc -ocamlc -ocamlopt --diff-command --solver --external-solver --build-command
zig nimble dub ldc2 dmd ; runs --test-cmd --compiler -gcc --linker ; begins --nim: ; hides -run ; wordsAreFiles
tox ; setting -x --override ; keys commands
mypy dmypy ; runs --python-executable
nodemon ; starts -x --exec --execMap --events.start
pm2 forever ; runs start --interpreter -c
chokidar chokidar-cli ; runs -c --command
watchman-make ; runs -r --run --make
start-server-and-test start-test server-test ; words
ninja samu task ; file -f --taskfile -t
meson ; runs --wrapper --wrap --strip-program ; wordsAreFiles
bazel bazelisk ; begins -xx:on\w+= ; file --bazelrc ; runs --run_under --shell_executable --workspace_status_command --credential_helper
rake ; code -e -E -p --execute --execute-print --execute-continue ; file -r --require -f --rakefile ; language ruby
gem ; runs -e --editor
npm pnpm yarn ; begins scripts\.|scripts\[|script-shell=|^(?:git|editor|viewer|shell|browser)= ; code -e --eval ; language javascript ; runs --editor --browser script-shell --init-module --script-shell --git --viewer --node-gyp --shell
	--scripts-prepend-node-path
dotnet ; code eval ; language other ; file run script ; hides fsi ; begins event=|toolexe= ; wordsAreFiles
java javaw jbang jshell ; codeIn input ; runs -XX:OnError -XX:OnOutOfMemoryError ; begins -xx:on\w+= ; code -c --code -s ; language other ; hides -agentpath -agentlib ; wordsAreFiles
mongosh mongo ; code --eval ; language other ; codeIn input
sqlplus isql-fb ; language bang ; codeIn input
sqlcmd ; code -Q -q ; language other
clickhouse clickhouse-local ; code -q --query ; language other
mlr ; code -e ; runs --prepipe --prepipex ; language other ; codeIn words
nyc c8 concurrently npm-run-all multitime poop bench cross-env-shell shx husky watchexec entr wgo ; words ; runs --shell
hyperfine ; words ; runs -s --setup -p --prepare -c --cleanup -C --conclude -S --shell --reference
perf ip ; wordsAreFiles ; words ; begins ^[\w.-]+= ; file -batch -b ; runs --pre --post --objdump --addr2line --exec-path
run-parts ; hides --regex
gdb gdb-multiarch gdbtui cgdb lldb rust-gdb rust-lldb cuda-gdb udb ddd ; code -ex -eval-command --eval-command -iex -init-eval-command --init-eval-command -o -O -k -K --one-line --one-line-before-file --one-line-on-crash ; file -x -command --command -ix
	-init-command --init-command -s -S --source --source-before-file --source-on-crash ; rest -args --args ; runs -p-exec -exec --exec -se --se --debugger ; language gdb ; codeIn input
scanmem gameconqueror ; code -c --command ; language bang ; codeIn input
bpftrace ; runs -c ; code -e ; language other
vim vi nvim view ex rvim gvim evim rview rgvim vimdiff gvimdiff nvimdiff vimtutor elvis vile editor sensible-editor ; code -c --cmd -cmd + --remote-send --remote-expr ; file -S -u -U -s -i -w -W --listen ; language vim ; codeIn input ; flags
	AbCdDeEfFgHhlLmMNnRsvxXyZ ; values -t -T -q -r -p -o -O
kak lf ; hides -e -E -command
micro ranger vifm ; code --cmd -command -c + ; language other
weechat ; code -r --run-command ; language other
mpv ; file --script --scripts --input-conf --include
ed red ; language ed ; codeIn input ; begins !
sqlite sqlite3 duckdb litecli ; code -cmd -c -e -s ; file -init ; language sqlite ; codeIn words
psql pgcli usql ; code -c --command -P --pset -v --set --variable ; file -f --file ; language psql ; codeIn input ; flags AaEeHlnqStWwXxz01
mysql mariadb mycli ; code -e --execute --init-command ; runs --pager ; language mysql ; codeIn input ; flags ABCGHiLNnoqrsTtUvVWwX
dc ; code -e --expression ; file -f --file ; language dc ; codeIn input
m4 ; language m4 ; codeIn input ; setting -D --define ; keys .
python pypy python-dbg ipython bpython ptpython ; code -c --command ; values -m -W -X -Q --check-hash-based-pycs ; interactive -i ; flags bBdEhiIOPqsSuvVxR3 ; language python ; codeIn input
node nodejs ; code -e --eval -p --print -pe ; file -r --require --import --loader --experimental-loader --env-file --env-file-if-exists --test-reporter --test-global-setup --openssl-config --experimental-config-file --snapshot-blob ; values -C --conditions
	; interactive -i --interactive ; flags chiv ; language javascript ; codeIn input
jjs jrunscript ; code -e ; language other ; codeIn input
perl ; code -e -E -M -m ; flags 0123456789acflnpsStTuUvwWXi ; values -I -C -D -F -x ; hides -d ; language perl ; codeIn input
perlbug cpan ; hides -e -c ; language perl
prove ; runs -e --exec ; hides --source --formatter --harness --archive ; flags bcdDfhHjlmopqQrsStTuUvVwW
flask ; interactive shell ; language python ; codeIn input
spack ; code -c ; language python
jupyter jupyter-run ; runs --browser ; begins browser= ; wordsAreFiles
pylint ; code --init-hook ; language python
manage.py django-admin ; code -c --command ; language python
gunicorn ; file -c --config
pip pipx hatch pipenv ; starts --python ; runs --editor ; begins ext::
ruby irb pry jruby ; code -e ; file -r ; values -I -C -E -F -K -W -x ; flags acdhlnpsSUvwy0 ; language ruby ; codeIn input
php php-cgi psysh ; code --execute -r -R -B -E --run --process-code --process-begin --process-end ; file -f -F -c --file --process-file ; setting -d --define ; keys
	^(?:auto_prepend_file|auto_append_file|extension|zend_extension|sendmail_path|disable_functions)$ ; values -S -t -z ; flags aChHilmnqsvw ; language php ; codeIn input
rails ; code runner r -e ; interactive console c ; language ruby ; codeIn input
wp drush ; code eval ev php-eval --exec ; interactive shell ; language php ; codeIn input
lua luajit texlua ; code -e ; file -l ; flags iEvW ; language lua ; codeIn input
awk gawk mawk nawk goawk frawk original-awk busybox-awk ; code -e --source ; file -f -E --file --exec ; libraries -i -l --include --load ; values -v -F --assign --field-separator ; hides -W ; flags bcCghMnNOPrsStV ; language awk ; codeIn first-word
tclsh wish expect jimsh ; code -c ; file -f -b ; flags din ; language tcl ; codeIn input
osascript ; code -e ; language other ; codeIn input
r rscript ; runs -d --debugger ; code -e ; file -f --file ; language other ; codeIn input
octave octave-cli gnuplot slsh ; code --eval -e ; language other ; codeIn input
julia elixir rebar3 utop evcxr gore yaegi gomacro rust-script littler lr csharp csi rdmd kscript swift guix lein erl iex scala scala-cli kotlin kotlinc groovy groovysh ghc ghci runghc stack cabal racket guile clisp sbcl ecl gosh mzscheme ocaml raku rakudo nim
	crystal haxe clojure clj nbb nu xonsh escript janet fennel hy newlisp gforth pike io v picolisp mix dart coqtop maxima gp sage ginsh ; code eval -e --eval -eval --execute -x -c -E -r -ex -s -js -a -ep --eval-string --rpc-eval --loop --scala-snippet
	--script-snippet ; runs -pgmF -pgmP -pgmc -pgml -pgmL -pgma -d --debugger --exec --with-ghc --with-gcc --with-compiler --with-repl --compiler --gcc.exe --gcc.linkerexe  --script ; begins -pgm\w[\s=]|\.(?:linker)?exe[:=]|-wrapper\s|-fuse-ld= ; interactive repl ; hides -run --link-flags
	; wordsAreFiles ; language other ; codeIn input
swiftc ; runs -use-ld ; hides -load-plugin-executable
bb babashka ; code -e --eval ; language other ; codeIn first-word
nvm n fnm volta ; code -e --eval -p --print ; language javascript
matlab scilab scilab-cli wolframscript mathematica ; hides -r -batch -e -f -code -script
cling root root.exe ; code -e ; language other ; codeIn words
gimp blender inkscape scribus ; code -b --batch --python-expr ; language other
pwsh powershell ; hides -c -Command -EncodedCommand -e -ec -enc
tmux screen tmate byobu zellij dtach abduco ; words ; hides stuff ; begins #\( ; file -f -c source source-file
tsx ts-node esno zx jiti vite-node babel-node swc-node coffee electron ; code -e --eval -p --print -pe ; file -r --require --import ; values -C -P --project ; interactive -i -s ; flags pTs ; runs --shell --prefix --postfix ; language javascript ; codeIn input
	; wordsAreFiles
bun ; script run ; code -e --eval -p --print ; runs exec ; file -r --preload --require --import ; begins scripts\. ; interactive repl ; language javascript ; codeIn input ; wordsAreFiles
deno ; script run ; code eval --eval ; runs --eval ; begins npm: ; interactive repl ; language javascript ; codeIn words ; wordsAreFiles
jest mocha vitest playwright vite webpack rollup esbuild eslint prettier stylelint tsc commitlint cypress nx turbo ; wordsAreFiles ; runs -b --browser ; code -p --plugin ; language javascript
lint-staged ; file -c --config ; runs --shell ; wordsAreFiles
uv ; starts --python ; script run ; values --with -p --extra --group --env-file --from -m --directory --project ; language python ; codeIn input
coverage memray scalene ; script run ; code -c --command ; values -m --source --rcfile ; language python ; codeIn input
just ; file -f --justfile ; runs --shell --chooser ; rest -c --command
r2 radare2 rizin rz ; code -c ; runs -d ; flags qwAn ; language bang
rarun2 ; begins (?:program|system|preload)=
dlv ; wordsAreFiles
mpirun mpiexec srun ; words
`);
