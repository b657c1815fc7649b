import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useEvents } from '../events/events.ts';
import { pageName } from '../events/page-name.ts';

/** Tells the server which page is on screen, when that changes: a new connection says it by itself. */
export function PlaceReport() {
  const { say } = useEvents();
  const status = pageName(useLocation());
  useEffect(() => say('UpdateConnectedUser', { status }), [say, status]);
  return null;
}
