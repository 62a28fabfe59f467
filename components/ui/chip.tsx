import type { ReactNode } from 'react';
import { cn } from './cn.ts';

interface ChipProps {
	isOn: boolean;
	className?: string;
	onPress: () => void;
	children: ReactNode;
}

export function Chip({ isOn, className, onPress, children }: ChipProps) {
	return (
		<button
			type="button"
			aria-pressed={isOn}
			onClick={onPress}
			className={cn(
				'h-6 rounded-full border border-edge px-2.5 text-muted hover:bg-hover pointer-coarse:h-10',
				isOn && 'border-accent bg-selected text-text',
				className,
			)}
		>
			{children}
		</button>
	);
}
