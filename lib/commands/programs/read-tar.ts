import type { CommandReader } from '../judging.ts';
import { knownText, lineText } from '../shell-field.ts';

/** `tar` without a dash: letters that take the words behind them one by one: `tar cIf zap o`. */
export const readTar: CommandReader = (fields, setting, judge) => {
	const [letters, ...words] = fields.slice(1);
	if (!/^[A-Za-z]*[IF][A-Za-z]*$/.test(knownText(letters) ?? '')) return;
	for (const word of words.slice(0, 3)) {
		if (knownText(word) === undefined)
			judge.unknowable(fields, 'the command that it is told to run is not known', setting);
		judge.mayRun(lineText(word), setting);
	}
};
