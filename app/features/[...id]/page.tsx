import { FeaturePage } from '#components/features/feature-page.tsx';

/** On a hub a feature's name has two parts: the number of its machine before the machine's own id. */
export default async function OneFeaturePage({ params }: { params: Promise<{ id: string[] }> }) {
	return <FeaturePage featureId={(await params).id.map(decodeURIComponent).join('/')} />;
}
