import { callName } from '../approvals/call-words.ts';
import { outcomeOf, wasStopped } from '../session/call.ts';
import { clip, printable } from '../text/printable.ts';
import { archiveFigures, noteFigures, stageFigures } from './archive-figures.ts';
import { type ArchiveStory, actorName, decisionOf, outcomeName } from './archive-story.ts';

const MAX_LINES = 20;
const MAX_FILES = 30;
const MAX_CHARS = 200;

/** A summary of an archive for a pull request, as Markdown of limited length; agent text in it cannot act as Markdown. */
export function archiveMarkdown(story: ArchiveStory): string {
	const { manifest, sessions, redacted, missing } = story;
	const calls = sessions.flatMap(({ rows, view }) => rows.flatMap(({ call }) => (call ? [{ call, view }] : [])));
	const shownCalls = calls.filter(({ call }) => wasStopped(call) || decisionOf(call) !== '');
	const failed = calls.filter(({ call }) => outcomeOf(call) === 'failed');
	const files = sessions.flatMap(({ view }) => view.work?.files ?? []);
	return [
		`# ${plain(manifest.feature)}`,
		...(redacted ? ['What was said is left out: texts are their lengths and salted digests.'] : []),
		...(missing === undefined ? [] : [`**Not everything is here:** ${plain(missing)}`]),
		table(['', ''], archiveFigures(story)),
		...section('Stages', table(['Stage', 'Ended', 'Time'], stageRows(story))),
		...section(
			'Notes',
			list(
				noteFigures(sessions),
				MAX_LINES,
				([at, by, about, words]) => `${at} ${plain(by)} about ${code(about)}: ${plain(words)}`,
			),
		),
		...section(
			'What gates and people said',
			list(shownCalls, MAX_LINES, ({ call, view }) => {
				const who = actorName(view, call.agentId);
				return `${code(`${callName(call)} ${call.title}`)}${who === '' ? '' : ` by ${plain(who)}`}: ${outcomeName(call)}. ${plain(decisionOf(call))}`;
			}),
		),
		...section(
			'What failed',
			list(failed, MAX_LINES, ({ call }) => `${code(`${call.tool} ${call.title}`)}: ${plain(call.error ?? '')}`),
		),
		...section(
			'Files',
			list(files, MAX_FILES, ({ path, added, removed }) => `${code(path)} +${added} −${removed}`),
		),
	]
		.join('\n\n')
		.concat('\n');
}

const stageRows = ({ sessions }: ArchiveStory) =>
	stageFigures(sessions).map(({ stage, results, time }) => [stage, results, time]);

const section = (title: string, text: string) => (text === '' ? [] : [`## ${title}`, text]);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	if (rows.length === 0) return '';
	const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;
	return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function list<T>(all: readonly T[], most: number, of: (one: T) => string): string {
	const lines = all.slice(0, most).map((one) => `- ${of(one)}`);
	if (all.length > most) lines.push(`- and ${all.length - most} more`);
	return lines.join('\n');
}

/** Agent text as words: no mark-up, link, mention or tag of its own. */
function plain(text: string): string {
	return printable(text, MAX_CHARS)
		.replace(/[\\`*_{}[\]()#+!|<>~&$:]/gu, (mark) => `&#${mark.codePointAt(0)};`)
		.replaceAll('@', '@\u2060')
		.replaceAll('www.', 'www\u2060.');
}

/** The same as code; inside it only the backtick is special. */
function code(text: string): string {
	const one = clip(printable(text, MAX_CHARS), MAX_CHARS).replaceAll('`', 'ˋ').replaceAll('|', '∣');
	return one === '' ? '' : `\`${one}\``;
}
