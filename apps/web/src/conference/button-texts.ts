export const texts = {
  title: 'Conference',
  open: 'Conference, {count} in use',
};
