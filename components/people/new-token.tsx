'use client';
import { type FormEvent, useState } from 'react';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { CopyButton } from '../session/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { OpenedForm } from '../ui/opened-form.tsx';

const field = 'h-7 max-w-full rounded border border-edge bg-surface px-2 placeholder:text-muted';

/** Makes a token for a tool, which reads what its owner may read; it is told once. */
export function NewToken({ onMade }: { onMade: () => void }) {
	const say = useSay();
	const now = useNow();
	const [isOpen, setOpen] = useState(false);
	const [name, setName] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const [made, setMade] = useState<{ token: string; until: string } | null>(null);

	async function make(event: FormEvent) {
		event.preventDefault();
		setBusy(true);
		setRefusal(null);
		const answer = await callRoute('POST /api/hub/tokens', { body: { name } });
		setBusy(false);
		if (!answer.ok) return setRefusal(answer.message);
		setMade(answer.data);
		setOpen(false);
		setName('');
		onMade();
	}

	return (
		<div className="flex flex-col gap-2 pt-2">
			{isOpen ? (
				<OpenedForm onCancel={() => setOpen(false)}>
					<form onSubmit={(event) => void make(event)} className="flex flex-wrap items-end gap-2">
						<label className="flex flex-col gap-0.5">
							<span className="text-muted">{say('What the tool is called')}</span>
							<input
								value={name}
								onChange={({ target }) => setName(target.value)}
								maxLength={80}
								required
								className={field}
							/>
						</label>
						<Button kind="primary" type="submit" disabled={isBusy || name.trim() === ''}>
							{say('Make the token')}
						</Button>
						<Button onClick={() => setOpen(false)}>{say('Cancel')}</Button>
					</form>
				</OpenedForm>
			) : (
				<Button
					className="self-start"
					onClick={() => {
						setMade(null);
						setOpen(true);
					}}
				>
					{say('Make a token for a tool')}
				</Button>
			)}
			{refusal && (
				<p role="alert" className="text-warn">
					{say.known(refusal)}
				</p>
			)}
			{made && (
				<div role="status" className="flex flex-wrap items-center gap-2">
					<code className="rounded border border-line bg-raised px-2 py-1 font-mono text-mono [overflow-wrap:anywhere]">
						{made.token}
					</code>
					<CopyButton label={say('Copy the token')} text={() => made.token} />
					<span className="text-muted">
						{say('It reads what you may read, until {time}. It is not shown again.', {
							time: clockOrDate(made.until, now, say.language),
						})}
					</span>
				</div>
			)}
		</div>
	);
}
