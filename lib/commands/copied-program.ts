import type { Judge, Setting } from './judging.ts';
import { type Field, lineText, shellText, textField } from './shell-field.ts';
import { foundProgram } from './substitution-output.ts';

/** Programs that rename or copy a file. */
const COPIES =
	/^(?:g?(?:cp|mv|ln|install|dd|link)|rsync|scp|(?:bsd|g)?tar|cpio|pax|zip|objcopy|strip|patchelf|curl|rename|mount|(?:update-)?alternatives)$/;
/** Programs that print a file: a copy if their output goes into another. */
const PRINTS = /^(?:cat|tac|head|tail|tee|g?sed|[gm]?awk|base(?:32|64)|xxd|gzip|bzip2|xz|zstd|lz4)$/;
/** Programs whose last word is the new name. */
const NAMES_LAST = /^(?:g?(?:cp|mv|ln|install|link)|rsync|scp|mount)$/;
const PROGRAM_FILE = /\/(?:s?bin|libexec)\/[^/]+$/;
/** The address of a file: only with it does `curl` copy a local file. */
const FILE_ADDRESS = /^file:/i;

/** Judges the program whose file a command copies as if it ran: under its new name it would not be recognised. */
export function judgeCopied(name: string, fields: readonly Field[], setting: Setting, judge: Judge): void {
	const isPrinted = PRINTS.test(name) && setting.redirects.some(({ operator }) => operator.startsWith('>'));
	if (!isPrinted && !COPIES.test(name)) return;
	const words = NAMES_LAST.test(name) && fields.length > 2 ? fields.slice(1, -1) : fields.slice(1);
	const read = setting.redirects.flatMap((each) => (each.operator === '<' && each.target ? [each.target.text] : []));
	const files = [...words, ...read.map(textField)].filter(
		(field) =>
			(name !== 'curl' || FILE_ADDRESS.test(field.text)) &&
			(foundProgram(field.raw) !== undefined || PROGRAM_FILE.test(lineText(field))),
	);
	if (files.length > 0) judge.mayRun(files.map((field) => shellText([field])).join('\n'), setting);
}
