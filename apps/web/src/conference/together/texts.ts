export const texts = {
  bar: 'Looking together in {room}',
  nobody: 'You are in room {room}: nobody leads.',
  others: '{leader} leads in room {room}. You are not following.',
  following: 'You are following {leader} in room {room}.',
  notFollowing:
    'You are not following: {leader} shows nothing that you can see now. It appears here when that changes.',
  noLeader: 'You are not following: nobody leads in room {room} now.',
  leading: 'You lead in room {room}: others may follow what you show.',
  leadingNothing: 'You lead in room {room}. Open a mission or the live page: those who follow see it with you.',
  refused: 'The label of room {room} is {label}: this mission, {shown}, is not shown to anybody there.',
  refusedLive:
    'The label of room {room} is {label}: what you show is {shown}, and is not shown to anybody there. Choose other sensors.',
  ownWay: 'You are no longer following.',
  lead: 'Lead',
  leadInstead: 'Lead instead',
  stopLeading: 'Stop leading',
  follow: 'Follow',
  stopFollowing: 'Stop following',
  stop: 'Stop',
  point: 'Point',
  pointHelp: 'The others see where your pointer is on video and map',
};
