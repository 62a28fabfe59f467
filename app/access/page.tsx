export { AccessPage as default } from '#components/people/access/access-page.tsx';
