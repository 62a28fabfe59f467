import { visibleString } from '#lib/text/visible-text.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import { useSay } from '../../language/use-say.ts';
import { useLive } from '../../live/store.ts';

/** How to call the `signalbox` command on this server's machine. */
export const useProgram = (): string => useLive(({ me }) => me?.program ?? 'signalbox');

/** The command in backticks of an advice, as it must be typed here; null if there is none. */
export function useCommand(advice: string): string | null {
	const program = useProgram();
	const command = /`(signalbox [^`]*)`/.exec(advice)?.[0];
	return command === undefined ? null : withProgramName(command, program).replaceAll('`', '');
}

/** Advice by Signalbox. Text in backticks is a command or a name, shown as it must be typed here. */
export function Advice({ children }: { children: string }) {
	const say = useSay();
	const program = useProgram();
	return visibleString(withProgramName(say.known(children), program))
		.split('`')
		.map((part, index) =>
			index % 2 === 0 ? (
				part
			) : (
				// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order.
				<code key={index} className="font-mono text-mono [overflow-wrap:anywhere]">
					{part}
				</code>
			),
		);
}
