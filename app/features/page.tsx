import { ArchiveDrop } from '#components/features/archive-drop.tsx';
import { FeaturesPage } from '#components/features/features-page.tsx';

export default function FeatureBoardPage() {
	return (
		<ArchiveDrop>
			<FeaturesPage />
		</ArchiveDrop>
	);
}
