import { SearchPage } from '#components/search/search-page.tsx';

export default function SearchInAllSessionsPage() {
	return <SearchPage />;
}
