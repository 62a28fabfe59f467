import { useState } from 'react';
import type { FeatureRecord, ReadableFormat, RedactionCounts } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAction } from '../live/use-action.ts';
import { useRoute } from '../live/use-answer.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog/dialog.tsx';
import { saveText } from '../ui/save-text.ts';

const formats: Record<ReadableFormat, { ending: string; type: string }> = {
	html: { ending: '.html', type: 'text/html' },
	markdown: { ending: '.md', type: 'text/markdown' },
	csv: { ending: '.csv', type: 'text/csv' },
};
const MAX_FIELDS = 8;

export function ExportArchive({ feature, onClose }: { feature: FeatureRecord; onClose: () => void }) {
	const say = useSay();
	const [redact, setRedact] = useState(true);
	const { isBusy, refusal, run } = useAction();
	const { id } = feature;
	const { data: counts, error } = useRoute('GET /api/features/:id/redaction', { params: { id } });

	async function save(format: ReadableFormat) {
		const query = { format, redact: redact ? 'true' : 'false' } as const;
		const answer = await run(callRoute('GET /api/features/:id/export', { params: { id }, query }));
		if (!answer.ok) return;
		const { ending, type } = formats[format];
		saveText(`${id.slice(13)}${redact ? '.redacted' : ''}${ending}`, [answer.data], type);
	}

	return (
		<Dialog title={say('Export')} onClose={onClose}>
			<div className="flex flex-col gap-3 p-4">
				<label className="flex items-center gap-2">
					<input type="checkbox" checked={redact} onChange={(event) => setRedact(event.target.checked)} />
					{say('Leave out what was said')}
				</label>
				{error && <p className="text-warn">{error}</p>}
				{counts && <Counts counts={counts} redact={redact} />}
				<DialogFoot refusal={refusal} onClose={onClose}>
					<Button disabled={isBusy} onClick={() => void save('csv')}>
						{say('Calls as CSV')}
					</Button>
					<Button disabled={isBusy} onClick={() => void save('markdown')}>
						{say('Summary')}
					</Button>
					<Button kind="primary" disabled={isBusy} onClick={() => void save('html')}>
						{say('Page')}
					</Button>
				</DialogFoot>
			</div>
		</Dialog>
	);
}

function Counts({ counts, redact }: { counts: RedactionCounts; redact: boolean }) {
	const say = useSay();
	const { events, touched, ids, leftOut, fields } = counts;
	return (
		<section aria-label={say('What a redaction leaves out')} className="text-muted">
			<p>
				{redact
					? say('Left out: texts in {touched} of {events} events, {ids} ids, {leftOut} documents and files.', {
							...{ touched, events, ids, leftOut },
						})
					: say('Nothing is left out: the file holds everything that was said. Treat it like the home.')}
			</p>
			{redact && (
				<ul>
					{fields.slice(0, MAX_FIELDS).map(({ type, field, count, characters }) => (
						<li key={`${type} ${field}`}>
							<code className="font-mono text-mono">{`${type} ${field}`}</code>{' '}
							{say('{count} {count:text|texts}, {characters} characters', { count, characters })}
						</li>
					))}
				</ul>
			)}
		</section>
	);
}
