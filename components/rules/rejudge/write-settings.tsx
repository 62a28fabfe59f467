import { useCallback, useState } from 'react';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useAnswer } from '../../live/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogFoot } from '../../ui/dialog/dialog-foot.tsx';
import { Select } from '../../ui/select.tsx';
import { EditDiff } from '../../ui/text/edit-diff.tsx';

interface WriteSettingsProps {
	set: Record<string, unknown>;
	projects: readonly FeatureProject[];
	/** The project that history was asked of. */
	chosen: string | null;
	onClose: () => void;
}

/** Shows what a config file would hold with the settings that were tried, and writes it on one click. */
export function WriteSettings({ set, projects, chosen, onClose }: WriteSettingsProps) {
	const say = useSay();
	const [project, setProject] = useState(chosen ?? '');
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const [written, setWritten] = useState<string | null>(null);
	const text = JSON.stringify(set);
	const where = project === '' ? {} : { project };
	const ask = useCallback(
		() => callRoute('GET /api/settings/change', { query: { set: text, ...(project === '' ? {} : { project }) } }),
		[text, project],
	);
	const { data: change, error } = useAnswer(ask);

	async function write() {
		if (!change) return;
		setBusy(true);
		setRefusal(null);
		const answer = await callRoute('POST /api/settings/change', { body: { set, ...where, expect: change.expect } });
		setBusy(false);
		if (answer.ok) setWritten(answer.data.file);
		else setRefusal(answer.message);
	}

	return (
		<Dialog title={say('Write these settings')} open onOpenChange={(stays) => !stays && onClose()}>
			<div className="flex flex-col gap-3 p-4">
				<Select
					label={say('Into which file')}
					value={project}
					onChoose={(next) => {
						setProject(next);
						setWritten(null);
						setRefusal(null);
					}}
					choices={[
						{ value: '', label: say('the home’s config.json') },
						...projects.map(({ id, name }) => ({ value: id, label: name })),
					]}
				/>
				{error && (
					<p role="alert" className="text-warn">
						{error}
					</p>
				)}
				{change && (
					<EditDiff edit={{ path: change.file, pieces: [{ from: change.before, to: change.after }], isCut: false }} />
				)}
				{written !== null ? (
					<p role="status" className="text-ok">
						{say('Written. It holds from the next call on.')}
					</p>
				) : (
					<DialogFoot refusal={refusal} onClose={onClose}>
						<Button
							kind="primary"
							disabled={isBusy || !change || change.before === change.after}
							onClick={() => void write()}
						>
							{say('Write')}
						</Button>
					</DialogFoot>
				)}
			</div>
		</Dialog>
	);
}
