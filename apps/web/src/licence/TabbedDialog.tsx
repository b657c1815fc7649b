import { DialogContent, Tab, Tabs } from '@mui/material';
import { type ReactNode, useId, useState } from 'react';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';

type Props = {
  title: string;
  tabs: readonly { name: string; content: ReactNode }[];
  onClose: () => void;
};

/** Dialog with several tabs about the same subject. */
export function TabbedDialog({ title, tabs, onClose }: Props) {
  const [at, setAt] = useState(0);
  const id = useId();
  return (
    <PlainDialog title={title} onClose={onClose}>
      <Tabs
        value={at}
        onChange={(_event, next: number) => setAt(next)}
        aria-label={title}
        sx={{ px: 3, minHeight: 40, borderBottom: 1, borderColor: 'divider' }}
      >
        {tabs.map(({ name }, index) => (
          <Tab
            key={name}
            label={name}
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            sx={{ minHeight: 40, textTransform: 'none' }}
          />
        ))}
      </Tabs>
      <DialogContent
        role="tabpanel"
        id={`${id}-panel-${at}`}
        aria-labelledby={`${id}-tab-${at}`}
        sx={{ minHeight: 260, '&&': { pt: 4 } }}
      >
        {tabs[at]?.content}
      </DialogContent>
    </PlainDialog>
  );
}
