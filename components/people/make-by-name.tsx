'use client';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import type { Answer } from '../live/call-route.ts';
import { enrolPasskey } from '../live/enrol-passkey.ts';
import { useAction } from '../live/use-action.ts';
import { Alert } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { OpenedForm } from '../ui/opened-form.tsx';
import { TextField } from '../ui/text-field.tsx';

interface MakeByNameProps<Data> {
	openLabel: string;
	makeLabel: string;
	nameLabel: string;
	placeholder?: string;
	maxLength: number;
	/** Request sent when the form opens. If it is refused, the form stays closed. */
	onOpen?: () => Promise<Answer<unknown>> | undefined;
	onMake: (name: string) => Promise<Answer<Data>>;
	onMade: (data: Data) => void;
	fields?: ReactNode;
	children?: ReactNode;
}

/** A button that opens a form for a name, and makes something of that name. */
export function MakeByName<Data>(props: MakeByNameProps<Data>) {
	const { openLabel, makeLabel, nameLabel, placeholder, maxLength, onOpen, onMake, onMade, fields, children } = props;
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const [name, setName] = useState('');
	const { isBusy, refusal, run } = useAction();

	async function show() {
		const started = onOpen?.();
		if (!started || (await run(started)).ok) setOpen(true);
	}

	async function act(event: FormEvent) {
		event.preventDefault();
		const answer = await run(onMake(name.trim()));
		// A wrong code closes the form: opening it again asks for a fresh one.
		if (!answer.ok) return setOpen(answer.code !== 'passkey/code');
		setOpen(false);
		setName('');
		onMade(answer.data);
	}

	return (
		<div className="flex flex-col gap-2 has-[code,form]:w-full has-[code,form]:pb-2">
			{isOpen ? (
				<OpenedForm onCancel={() => setOpen(false)}>
					<form onSubmit={(event) => void act(event)} className="flex flex-wrap items-end gap-2">
						<TextField
							label={nameLabel}
							value={name}
							onWrite={setName}
							maxLength={maxLength}
							placeholder={placeholder}
							required
							autoComplete="off"
						/>
						{fields}
						<Button kind="primary" type="submit" disabled={isBusy || name.trim() === ''}>
							{makeLabel}
						</Button>
						<Button onClick={() => setOpen(false)}>{say('Cancel')}</Button>
					</form>
				</OpenedForm>
			) : (
				<Button size="small" className="self-end" onClick={() => void show()}>
					{openLabel}
				</Button>
			)}
			<Alert>{refusal}</Alert>
			{children}
		</div>
	);
}

interface AddPasskeyProps<Data> extends Pick<MakeByNameProps<Data>, 'onOpen' | 'onMade' | 'fields'> {
	requestOptions: () => Promise<Answer<unknown>>;
	register: (body: {
		name: string;
		response: Parameters<Parameters<typeof enrolPasskey>[1]>[0];
	}) => Promise<Answer<Data>>;
}

export function AddPasskey<Data>({ requestOptions, register, ...props }: AddPasskeyProps<Data>) {
	const say = useSay();
	return (
		<MakeByName
			{...props}
			openLabel={say('Add a passkey')}
			makeLabel={say('Make the passkey')}
			nameLabel={say('Its name')}
			placeholder={say('laptop')}
			maxLength={60}
			onMake={(name) => enrolPasskey(requestOptions(), (response) => register({ name, response }))}
		/>
	);
}
