import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useEvents } from '../events/events.ts';
import { pageName } from '../events/page-name.ts';

/** Reports the page on screen to the server whenever it changes; a new connection reports it by itself. */
export function PlaceReport() {
  const { say } = useEvents();
  const status = pageName(useLocation());
  useEffect(() => say('UpdateConnectedUser', { status }), [say, status]);
  return null;
}
