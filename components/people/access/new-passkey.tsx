'use client';
import { type FormEvent, useState } from 'react';
import type { AccessEntry } from '#lib/contract/access/access.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { enrolPasskey } from '../../live/enrol-passkey.ts';
import { Button } from '../../ui/button.tsx';
import { Advice } from '../../ui/text/advice.tsx';

interface NewPasskeyProps {
	isFirst: boolean;
	onChange: (entries: AccessEntry[]) => void;
}

const field = 'h-7 rounded border border-edge bg-surface px-2 placeholder:text-muted';

export function NewPasskey({ isFirst, onChange }: NewPasskeyProps) {
	const say = useSay();
	const [step, setStep] = useState<'closed' | 'open' | 'busy'>('closed');
	const [name, setName] = useState('');
	const [code, setCode] = useState('');
	const [refusal, setRefusal] = useState<string | null>(null);

	async function open() {
		setRefusal(null);
		const shown = isFirst ? await callRoute('POST /api/passkeys/code') : null;
		if (shown && !shown.ok) setRefusal(shown.message);
		else setStep('open');
	}

	async function createPasskey(event: FormEvent) {
		event.preventDefault();
		setStep('busy');
		setRefusal(null);
		const body = { code: isFirst ? code : undefined };
		const answer = await enrolPasskey(callRoute('POST /api/passkeys/options', { body }), (response) =>
			callRoute('POST /api/passkeys', { body: { name: name.trim(), response } }),
		);
		if (!answer.ok) {
			setRefusal(answer.message);
			return setStep(answer.code === 'passkey/code' ? 'closed' : 'open');
		}
		setName('');
		setCode('');
		setStep('closed');
		onChange(answer.data.entries);
	}

	return (
		<div className="flex flex-col gap-2 py-1">
			{step === 'closed' ? (
				<Button className="self-start" onClick={() => void open()}>
					{say('Add a passkey')}
				</Button>
			) : (
				<form onSubmit={(event) => void createPasskey(event)} className="flex flex-wrap items-end gap-2">
					<label className="flex flex-col gap-0.5">
						<span className="text-muted">{say('Its name')}</span>
						<input
							value={name}
							onChange={({ target }) => setName(target.value)}
							maxLength={60}
							required
							placeholder={say('laptop')}
							className={field}
						/>
					</label>
					{isFirst && (
						<label className="flex flex-col gap-0.5">
							<span className="text-muted">{say('The code on the server’s terminal')}</span>
							<input
								value={code}
								onChange={({ target }) => setCode(target.value)}
								maxLength={20}
								required
								autoComplete="off"
								placeholder="XXXX-XXXX"
								className={`${field} font-mono`}
							/>
						</label>
					)}
					<Button kind="primary" type="submit" disabled={step === 'busy' || name.trim() === ''}>
						{say('Make the passkey')}
					</Button>
					<Button onClick={() => setStep('closed')}>{say('Cancel')}</Button>
				</form>
			)}
			{refusal && (
				<p role="alert" className="text-warn">
					<Advice>{refusal}</Advice>
				</p>
			)}
		</div>
	);
}
