import { useContext } from 'react';
import { ACTION_GROUPS } from './feature.ts';
import { OpenViewContext } from './feature-commands.ts';

/** Buttons of features in the bar over a view, inside its host. */
export function ViewActions({ phone }: { phone: boolean }) {
  const open = useContext(OpenViewContext);
  if (open === null) return null;
  const all = open.features.flatMap(({ id, actions = [] }) => actions.map((action) => ({ id, ...action })));
  const shown = all.filter(({ onPhone }) => !phone || onPhone);
  return ACTION_GROUPS.flatMap((group) => shown.filter((action) => action.group === group)).map(
    ({ id, group, Button }) => <Button key={`${id} ${group}`} view={open.view} />,
  );
}
