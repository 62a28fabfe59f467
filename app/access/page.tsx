import { AccessPage } from '#components/people/access/access-page.tsx';

export default function AccessListPage() {
	return <AccessPage />;
}
