import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { chapterKinds } from '#lib/contract/archives/chapter-kinds.ts';
import type { ChapterKind } from '#lib/contract/archives/replay.ts';

/** Stages and prompts are off by default: there are many, and the axis shows them already. */
const shownAtFirst: ChapterKind[] = chapterKinds.filter((kind) => kind !== 'stage' && kind !== 'prompt');

const parsers = {
	/** The instant in ms. Absent: the whole recording. */
	at: parseAsInteger,
	session: parseAsString,
	/** The open chapter, by the seq of its event in the session. */
	chapter: parseAsInteger,
	/** Kind of chapter: jump to the first one as soon as the recording has loaded. */
	go: parseAsStringLiteral(chapterKinds),
	kinds: parseAsArrayOf(parseAsStringLiteral(chapterKinds)).withDefault(shownAtFirst),
};

/** Instant, session and chapters of a recording, in the URL; playing adds no steps to the history. */
export const useReplayParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });
