import { type ReactNode, useState } from 'react';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import type { SettingsChange } from '#lib/contract/rules/rejudge.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useAction } from '../../live/use-action.ts';
import { useRoute } from '../../live/use-answer.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFoot } from '../../ui/dialog/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { EditDiff } from '../../ui/text/edit-diff.tsx';

interface WriteSettingsProps {
	set: Record<string, unknown>;
	/** Projects whose config files can be chosen instead of the home's, and the initial choice. */
	projects?: readonly FeatureProject[];
	chosen?: string | null;
	title?: string;
	children?: ReactNode;
	onWritten?: () => void;
	onClose: () => void;
}

/** Previews the config file with the tried settings, and writes it on a click. */
export function WriteSettings({ set, projects = [], chosen, title, children, onWritten, onClose }: WriteSettingsProps) {
	const say = useSay();
	const [project, setProject] = useState(chosen ?? '');
	const { isBusy, refusal, setRefusal, run } = useAction();
	const [written, setWritten] = useState<Record<string, unknown> | null>(null);
	const text = JSON.stringify(set);
	const where = project === '' ? {} : { project };
	const { data: change, error } = useRoute('GET /api/settings/change', { query: { set: text, ...where } });

	/** Writes the previewed change. Undo reads the file again first. */
	async function write(values: Record<string, unknown>, preview: SettingsChange) {
		const body = { set: values, ...where, expect: preview.expect };
		const answer = await run(callRoute('POST /api/settings/change', { body }));
		if (!answer.ok) return;
		setWritten(values === set ? preview.was : null);
		onWritten?.();
		if (values !== set) onClose();
	}
	async function undo(was: Record<string, unknown>) {
		const preview = await callRoute('GET /api/settings/change', { query: { set: JSON.stringify(was), ...where } });
		if (preview.ok) await write(was, preview.data);
		else setRefusal(preview.message);
	}

	return (
		<Dialog title={title ?? say('Save these settings')} onClose={onClose}>
			<div className="flex flex-col gap-3 p-4">
				{children}
				{projects.length > 0 && (
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
				)}
				<Alert>{error}</Alert>
				{change && (
					<EditDiff edit={{ path: change.file, pieces: [{ from: change.before, to: change.after }], isCut: false }} />
				)}
				{written !== null ? (
					<div className="flex items-center gap-3">
						<p role="status" className="text-ok">
							{say('Saved. It holds from the next call on.')}
						</p>
						{project === '' && (
							<Button disabled={isBusy} onClick={() => void undo(written)}>
								{say('Undo')}
							</Button>
						)}
						<Alert>{refusal}</Alert>
					</div>
				) : (
					<DialogFoot refusal={refusal} onClose={onClose}>
						<Button
							kind="primary"
							disabled={isBusy || !change || change.before === change.after}
							onClick={() => change && void write(set, change)}
						>
							{say('Save')}
						</Button>
					</DialogFoot>
				)}
			</div>
		</Dialog>
	);
}
