import { useSay } from '../../language/use-say.ts';
import { Button } from '../../ui/button.tsx';

/** The walk to the first machine. */
export function NoMachines({ onAdd }: { onAdd: () => void }) {
	const say = useSay();
	return (
		<div className="max-w-xl py-4">
			<h2 className="font-semibold">{say('No machine has joined yet')}</h2>
			<ol className="list-decimal pt-2 pl-5 text-muted">
				<li className="py-1">
					<Button size="small" onClick={onAdd}>
						{say('Make a line for a machine')}
					</Button>
				</li>
				<li className="py-1">
					{say('Run that line on the machine, in the project to be shared. It says what is shared.')}
				</li>
				<li className="py-1">
					{say('Start its server anew. The machine stands here, and its sessions on the first page.')}
				</li>
			</ol>
		</div>
	);
}
