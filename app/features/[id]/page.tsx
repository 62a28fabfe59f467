import { FeaturePage } from '#components/features/feature-page.tsx';

export default async function OneFeaturePage({ params }: { params: Promise<{ id: string }> }) {
	return <FeaturePage featureId={decodeURIComponent((await params).id)} />;
}
