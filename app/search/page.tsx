export { SearchPage as default } from '#components/search/search-page.tsx';
