import { FeaturePage } from '#components/features/feature-page.tsx';

/** On a hub, a feature's id has two parts: the machine's number and the machine's own id. */
export default async function OneFeaturePage({ params }: { params: Promise<{ id: string[] }> }) {
	return <FeaturePage featureId={(await params).id.map(decodeURIComponent).join('/')} />;
}
