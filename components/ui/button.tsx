import { Button as BaseButton } from '@base-ui/react/button';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn.ts';

const buttonClass = cva(
	'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded border text-ui transition-colors aria-pressed:bg-selected aria-pressed:text-text data-disabled:cursor-not-allowed data-disabled:opacity-60',
	{
		variants: {
			kind: {
				plain: 'border-edge bg-surface text-text hover:not-data-disabled:bg-hover',
				primary: 'border-accent bg-accent text-on-accent hover:not-data-disabled:opacity-90',
				danger: 'border-err bg-surface text-err hover:not-data-disabled:bg-hover',
				quiet: 'border-transparent bg-transparent hover:not-data-disabled:bg-hover',
			},
			// Larger touch targets.
			size: {
				small: 'h-6 px-2 pointer-coarse:h-10 pointer-coarse:px-3',
				normal: 'h-7 px-2.5 pointer-coarse:h-10 pointer-coarse:px-3.5',
				icon: 'size-7 pointer-coarse:size-10',
			},
		},
		// Buttons that decide are pressed in a hurry.
		compoundVariants: [{ kind: ['primary', 'danger'], className: 'pointer-coarse:h-11' }],
		defaultVariants: { kind: 'plain', size: 'normal' },
	},
);

type ButtonProps = Omit<ComponentProps<typeof BaseButton>, 'className'> &
	VariantProps<typeof buttonClass> & { className?: string };

/** Stays focusable while disabled, so that the reason can be read. */
export function Button({ kind, size, className, ...props }: ButtonProps) {
	return <BaseButton focusableWhenDisabled className={cn(buttonClass({ kind, size }), className)} {...props} />;
}
