/** Texts of the fields for label and audience. */
export const texts = {
  audience: {
    label: 'Usergroup',
    everyone: 'Everyone (all users)',
    ceiling: 'up to {label}',
    nobody: 'No one yet. Select a group',
  },
  sharing: {
    none: 'Choose at least one usergroup, or everyone.',
    demoOnly: 'Demo shows UNCLASSIFIED only. Choose another usergroup.',
    labelAboveGroup: 'The label {label} is above the ceiling of the usergroups {groups}.',
    hidesFromMaker:
      'With this label and these usergroups you could not see the item yourself. Please add one of your groups.',
    unknownUsergroup: 'Unknown usergroup.',
    forbidden: 'Only admins share with everyone.',
    notYours: 'Choose only groups that you administer.',
  },
  readers: {
    everyoneAndGuests: 'Visible to everyone, including guests',
    everyone: 'Visible to everyone with an account',
    superAdmins: 'Visible only to super admins',
    superAdminsAtLeast: 'Visible at least to super admins',
    nobody: 'Visible to nobody',
    people: 'Visible to {count} people: {who}',
    person: 'Visible to {count} person: {who}',
    visible: 'Visible to {who}',
    atLeast: 'Visible at least to {who}',
    groups: '{groups}, and super admins',
    cleared: 'everyone cleared for {label}',
    ifCleared: '{who}, if cleared for {label}',
    more: '{count} more',
    ceiling: '{name} does not show {label}: its ceiling is {ceiling}',
    failed: 'The server could not say who will see this',
  },
};
