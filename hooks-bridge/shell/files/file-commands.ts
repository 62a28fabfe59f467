import { readEditArguments, replaceLiterally } from '#lib/commands/edit-command.ts';
import { numberedLines, readReadArguments } from '#lib/commands/read-command.ts';
import { afterFirstWord } from '#lib/commands/shell-class.ts';
import { helpOf, wantsHelp } from '#lib/commands/shell-help.ts';
import { limitOf, type ShellEnv } from '#lib/commands/shell-settings.ts';
import { readWriteArguments } from '#lib/commands/write-command.ts';
import { clip } from '#lib/text/printable.ts';
import { type CancelablePromise, cancelable } from '../cancelable.ts';
import { type CommandHandler, type CommandResult, done, failed } from '../command-result.ts';
import type { AllowedFolders } from './allowed-folders.ts';
import { readConfined, writeConfined } from './confined-file.ts';
import { FileRefusal, resolvePath } from './resolve-path.ts';

/** A command that is done at once; a refusal becomes its error. */
abstract class FileHandler implements CommandHandler {
	protected readonly place: AllowedFolders;

	constructor(folders: AllowedFolders) {
		this.place = folders;
	}

	execute(line: string): CancelablePromise<CommandResult> {
		return cancelable(async () => {
			const help = wantsHelp(line);
			if (help) return done(helpOf(line, help));
			try {
				return this.act(afterFirstWord(line));
			} catch (error) {
				if (error instanceof FileRefusal) return failed(error.message);
				const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
				return failed(`The file cannot be used (${code}).`);
			}
		});
	}

	protected abstract act(text: string): CommandResult;
}

/** `read`: a file with line numbers. */
export class ReadHandler extends FileHandler {
	readonly #env: ShellEnv;

	constructor(folders: AllowedFolders, env: ShellEnv) {
		super(folders);
		this.#env = env;
	}

	protected act(text: string): CommandResult {
		const read = readReadArguments(text, limitOf(this.#env, 'SYNAPSE_READ_DEFAULT_LIMIT', 2000));
		if (!read.ok) return failed(read.message);
		const bytes = readConfined(resolvePath(read.request.path, this.place, 'read'));
		return done(numberedLines(bytes.toString('utf8'), read.request));
	}
}

/** `write`: a whole file. */
export class WriteHandler extends FileHandler {
	protected act(text: string): CommandResult {
		const read = readWriteArguments(text);
		if (!read.ok) return failed(read.message);
		const at = resolvePath(read.path, this.place, 'change');
		const bytes = Buffer.from(read.content);
		writeConfined(at, bytes);
		const lines = read.content === '' ? 0 : read.content.replace(/\n$/, '').split('\n').length;
		return done(`Wrote ${bytes.length} bytes, ${lines} lines: ${at.path}\n`);
	}
}

/** `edit`: replaces text to the letter. */
export class EditHandler extends FileHandler {
	protected act(text: string): CommandResult {
		const read = readEditArguments(text);
		if (!read.ok) return failed(read.message);
		const { request } = read;
		const at = resolvePath(request.path, this.place, 'change');
		const before = asText(readConfined(at), at.path);
		const { text: after, count } = replaceLiterally(before, request);
		if (count === 0) return failed(`String not found in file: ${clip(request.old, 50)}`);
		writeConfined(at, Buffer.from(after));
		return done(`Replaced ${count} ${count === 1 ? 'place' : 'places'}: ${at.path}\n`);
	}
}

function asText(bytes: Buffer, path: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new FileRefusal(`${path} is not UTF-8 text: an edit would damage it.`);
	}
}
