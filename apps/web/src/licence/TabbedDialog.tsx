import { mdiClose } from '@mdi/js';
import { Box, Dialog, DialogContent, DialogTitle, Tab, Tabs, useMediaQuery } from '@mui/material';
import { type ReactNode, useId, useState } from 'react';
import { Action } from '../ui/Action.tsx';
import { texts as ui } from '../ui/texts.ts';

type Props = {
  title: string;
  tabs: readonly { name: string; content: ReactNode }[];
  onClose: () => void;
};

/** A dialog of several pages that are all about one thing. */
export function TabbedDialog({ title, tabs, onClose }: Props) {
  const [at, setAt] = useState(0);
  const id = useId();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullScreen={narrow} fullWidth maxWidth="sm">
      <DialogTitle component="div" sx={{ display: 'flex', alignItems: 'center' }}>
        <span id={id}>{title}</span>
        <Box sx={{ ml: 'auto' }}>
          <Action label={ui.close} icon={mdiClose} onClick={onClose} edge="end" />
        </Box>
      </DialogTitle>
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
    </Dialog>
  );
}
