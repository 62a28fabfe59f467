import { languagePrograms } from './language-programs.ts';
import type { ProgramRow } from './program-row.ts';
import { systemPrograms } from './system-programs.ts';

/** Programs that can start another one. One without a row starts nothing that its line names, or is unknown. */
export const programRows: readonly ProgramRow[] = [...systemPrograms, ...languagePrograms];

const rows = new Map(programRows.flatMap((row) => row.names.split(' ').map((name) => [name, row] as const)));

/** Before a name: the target platform. */
const PLATFORM =
	/^(?:x86_64|i[3-6]86|aarch64|arm\w*|riscv64|powerpc\w*|s390x|mips\w*|\w+-w64)-(?:[\w-]+-)?(?:gnu\w*|musl\w*|mingw32|eabi\w*)-/;
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;
/** After a name: its version or variant. */
const MAKE = /(?:[-.](?:basic|tiny|nox|gtk3?|athena|huge|traditional|openbsd|static|dbg|exe|real|distrib))+$/;
const VERSION = /[-_.]?\d[\w.+-]*$/;

/** A version or variant after a separator: `python-3.12`. */
const SIGNED_VERSION = /[-_.]\d[\w.+-]*$/;

interface ReadName {
	names: readonly string[];
	row: ProgramRow | undefined;
}

/** Caches the names read last, since one line asks for the same few repeatedly. */
const readNames = new Map<string, ReadName>();
const MAX_NAMES = 500;

/** The names under which a program may be listed: as written, then without version and variant. */
export function knownNames(name: string): readonly string[] {
	return readName(name).names;
}

/** How a program can start others; undefined if it is not known to. */
export function findProgram(name: string): ProgramRow | undefined {
	return readName(name).row;
}

function readName(name: string): ReadName {
	const known = readNames.get(name);
	if (known) return known;
	const lower = name.toLowerCase();
	const plain = LOADER.test(lower) ? 'ld.so' : lower.replace(PLATFORM, '').replace(MAKE, '');
	const forms = new Set([lower, plain, plain.replace(SIGNED_VERSION, ''), plain.replace(VERSION, '')]);
	const names = [...forms].filter((each) => each !== '');
	const read = { names, row: names.map((each) => rows.get(each)).find((row) => row !== undefined) };
	if (readNames.size >= MAX_NAMES) readNames.clear();
	readNames.set(name, read);
	return read;
}
