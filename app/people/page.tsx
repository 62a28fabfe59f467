export { PeoplePage as default } from '#components/people/people-page.tsx';
