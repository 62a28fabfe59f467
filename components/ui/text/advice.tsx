import { asTyped } from '#lib/text/as-typed.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { useLive } from '../../live/store.ts';

/** What a person types to run the `signalbox` command on the machine of this server. */
export const useProgram = (): string => useLive(({ me }) => me?.program ?? 'signalbox');

/** The command in words about what to do, as it is typed here; null where none stands in backticks. */
export function useCommand(advice: string): string | null {
	const program = useProgram();
	const command = /`(signalbox [^`]*)`/.exec(advice)?.[0];
	return command === undefined ? null : asTyped(command, program).replaceAll('`', '');
}

/** Our own words about what to do: what stands in backticks is a command or a name, as it is typed here. */
export function Advice({ children }: { children: string }) {
	const say = useSay();
	const program = useProgram();
	return visibleString(asTyped(say.known(children), program))
		.split('`')
		.map((part, at) =>
			at % 2 === 0 ? (
				part
			) : (
				// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
				<code key={at} className="font-mono text-mono [overflow-wrap:anywhere]">
					{part}
				</code>
			),
		);
}
