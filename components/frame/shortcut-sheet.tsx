import { useSay } from '../language/use-say.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { allShortcuts, usePageLinks } from '../ui/keys/shortcuts.ts';

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
	const say = useSay();
	const all = allShortcuts(usePageLinks());
	const places = [...new Set(all.map(({ where }) => where))];
	return (
		<Dialog title={say('Keyboard shortcuts')} onClose={onClose}>
			<div className="grid gap-x-8 gap-y-4 p-4 sm:grid-cols-2">
				{places.map((group) => (
					<section key={group}>
						<h3 className="mb-1 text-muted text-small">{say(group)}</h3>
						<dl>
							{all
								.filter(({ where }) => where === group)
								.map(({ label, show }) => (
									<div key={label} className="flex h-7 items-center justify-between gap-4">
										<dt>{say(label)}</dt>
										<dd className="flex gap-1">
											{show.map((key) => (
												<Kbd key={key}>{key}</Kbd>
											))}
										</dd>
									</div>
								))}
						</dl>
					</section>
				))}
			</div>
		</Dialog>
	);
}
