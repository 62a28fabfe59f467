import { PeoplePage } from '#components/people/people-page.tsx';

export default function HubPeoplePage() {
	return <PeoplePage />;
}
