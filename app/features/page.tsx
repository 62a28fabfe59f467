import { FeaturesPage } from '#components/features/features-page.tsx';

export default function FeatureBoardPage() {
	return <FeaturesPage />;
}
