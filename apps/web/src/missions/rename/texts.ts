export const texts = {
  title: 'Rename {name}',
  lead: 'Links with the old name still open the mission, as long as no other mission has that name. Archives and files that were exported keep it.',
  name: 'New name',
  help: '1 to 64 characters. No spaces, slashes or commas.',
  submit: 'Rename',
  done: 'Mission {old} is now {name}.',
  failed: 'Error renaming mission {name}: {text}',
  action: 'Rename …',
};
