import { Tab, Tabs } from '@mui/material';
import { type RefObject, useLayoutEffect, useRef } from 'react';

export type TabName = { id: string; label: string };

/** Attributes of the element that holds a tab's content. */
export type TabPanelProps = { role: 'tabpanel'; id: string; 'aria-labelledby': string };

export const tabPanelProps = (id: string): TabPanelProps => ({
  role: 'tabpanel',
  id: `${id}-panel`,
  'aria-labelledby': `${id}-tab`,
});

type Props = {
  label: string;
  tabs: readonly TabName[];
  chosen: string;
  onChoose: (id: string) => void;
  /** If true, the strip replaces one that had the focus, so it takes the focus once. */
  focus: RefObject<boolean>;
};

/**
 * Tabs that follow the ARIA pattern: one is in the tab order, arrow keys move to the others, Enter or Space activates
 * one.
 */
export function TabStrip({ label, tabs, chosen, onChoose, focus }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (focus.current) strip.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    focus.current = false;
  }, [focus]);
  return (
    <Tabs ref={strip} value={chosen} onChange={(_event, id: string) => onChoose(id)} aria-label={label}>
      {tabs.map(({ id, label }) => (
        <Tab key={id} value={id} label={label} id={`${id}-tab`} aria-controls={`${id}-panel`} />
      ))}
    </Tabs>
  );
}
