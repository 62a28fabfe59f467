import { ArchiveDrop } from '#components/features/archive-drop.tsx';
import { FeaturesHere } from '#components/features/features-page.tsx';

export default function FeatureBoardPage() {
	return (
		<ArchiveDrop>
			<FeaturesHere />
		</ArchiveDrop>
	);
}
