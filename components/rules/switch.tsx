import { cn } from '../ui/cn.ts';

interface SwitchProps {
	label: string;
	isOn: boolean;
	disabled?: boolean;
	title?: string | undefined;
	onPress: () => void;
}

export function Switch({ label, isOn, disabled = false, title, onPress }: SwitchProps) {
	return (
		<button
			type="button"
			role="switch"
			aria-checked={isOn}
			aria-label={label}
			disabled={disabled}
			title={title}
			onClick={onPress}
			className="inline-flex min-h-6 shrink-0 items-center justify-self-end disabled:opacity-60 pointer-coarse:min-h-10 pointer-coarse:min-w-10"
		>
			<span
				aria-hidden
				className={cn(
					'inline-flex h-5 w-9 items-center rounded-full border border-edge px-0.5',
					isOn ? 'justify-end bg-accent' : 'bg-raised',
				)}
			>
				<span className={cn('size-3.5 rounded-full', isOn ? 'bg-on-accent' : 'bg-muted')} />
			</span>
		</button>
	);
}
