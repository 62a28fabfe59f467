'use client';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { field } from '../ui/field.ts';
import { OpenedForm } from '../ui/opened-form.tsx';

interface MakeByNameProps {
	open: string;
	make: string;
	label: string;
	placeholder?: string;
	most: number;
	onOpen?: () => void;
	onMake: (name: string) => Promise<string | null>;
	children?: ReactNode;
}

export function MakeByName({ open, make, label, placeholder, most, onOpen, onMake, children }: MakeByNameProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const [name, setName] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);

	async function act(event: FormEvent) {
		event.preventDefault();
		setBusy(true);
		setRefusal(null);
		const why = await onMake(name.trim());
		setBusy(false);
		if (why !== null) return setRefusal(why);
		setOpen(false);
		setName('');
	}

	return (
		<div className="flex flex-col gap-2 pt-2">
			{isOpen ? (
				<OpenedForm onCancel={() => setOpen(false)}>
					<form onSubmit={(event) => void act(event)} className="flex flex-wrap items-end gap-2">
						<label className="flex flex-col gap-0.5">
							<span className="text-muted">{label}</span>
							<input
								value={name}
								onChange={({ target }) => setName(target.value)}
								maxLength={most}
								required
								placeholder={placeholder}
								className={field}
							/>
						</label>
						<Button kind="primary" type="submit" disabled={isBusy || name.trim() === ''}>
							{make}
						</Button>
						<Button onClick={() => setOpen(false)}>{say('Cancel')}</Button>
					</form>
				</OpenedForm>
			) : (
				<Button
					className="self-start"
					onClick={() => {
						onOpen?.();
						setOpen(true);
					}}
				>
					{open}
				</Button>
			)}
			{refusal && (
				<p role="alert" className="text-warn">
					{say.known(refusal)}
				</p>
			)}
			{children}
		</div>
	);
}
