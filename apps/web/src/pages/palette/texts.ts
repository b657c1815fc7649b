export const texts = {
  title: 'Go to anything',
  placeholder: 'Mission, case, page, time, place, coordinate or action',
  groups: {
    missions: 'Missions',
    times: 'Times',
    places: 'Places',
    cases: 'Cases',
    users: 'Users',
    pages: 'Pages',
    actions: 'Actions',
  },
  none: 'Nothing found. Try a mission, a case, a page, a time such as 09:30 or +2m, a place or a coordinate.',
  seenAt: 'Find recordings of {place}',
  goTo: 'Go to {time}',
  outside: '{time} is outside of {mission}',
};
