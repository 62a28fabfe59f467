export { ComparePage as default } from '#components/compare/compare-page.tsx';
