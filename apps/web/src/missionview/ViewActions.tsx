import { useContext } from 'react';
import { ACTION_GROUPS } from './feature.ts';
import { OpenViewContext } from './feature-commands.ts';
import { ToolGroup } from './ViewBar.tsx';

/** Buttons that features add to the bar of a view. Must be inside the view's host. */
export function ViewActions({ phone }: { phone: boolean }) {
  const open = useContext(OpenViewContext);
  if (open === null) return null;
  const all = open.features.flatMap(({ id, actions = [] }) => actions.map((action) => ({ id, ...action })));
  const shown = all.filter(({ onPhone }) => !phone || onPhone);
  return ACTION_GROUPS.map((group) => (
    <ToolGroup key={group}>
      {shown
        .filter((action) => action.group === group)
        .map(({ id, Button }) => (
          <Button key={id} view={open.view} />
        ))}
    </ToolGroup>
  ));
}
