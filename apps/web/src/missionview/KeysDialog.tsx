import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, useMediaQuery } from '@mui/material';
import { useContext, useId } from 'react';
import { unlessDoubleClick } from '../ui/dialog/unless-double-click.ts';
import { KeyCaps } from '../ui/KeyCaps.tsx';
import { FeatureCommandsContext } from './feature-commands.ts';
import { type KeyLine, keyGroups, type ViewKind } from './key-list.ts';
import { texts } from './texts.ts';

type Props = {
  open: boolean;
  /** Null on a page that has neither. */
  view: ViewKind | null;
  /** Keys of features, where there is no view that has them. */
  lines?: readonly KeyLine[];
  onClose: () => void;
};

/** Dialog with the list of keys, opened by "?" on every page. */
export function KeysDialog({ open, view, lines = [], onClose }: Props) {
  const titleId = useId();
  const features = useContext(FeatureCommandsContext);
  const narrow = useMediaQuery('(max-width: 599.95px)');
  return (
    <Dialog
      open={open}
      onClose={unlessDoubleClick(onClose)}
      aria-labelledby={titleId}
      maxWidth="md"
      fullWidth
      fullScreen={narrow}
    >
      <DialogTitle id={titleId}>{texts.keys}</DialogTitle>
      <DialogContent>
        <Box sx={{ columns: { xs: 1, md: 2 }, columnGap: 8 }}>
          {keyGroups(view, features?.lines ?? lines).map((group) => (
            <Box component="section" key={group.id} aria-label={texts.keyGroups[group.id]} sx={{ mb: 5 }}>
              <Box component="h3" sx={{ m: 0, mb: 2, fontSize: 14, fontWeight: 600 }}>
                {texts.keyGroups[group.id]}
              </Box>
              <Box component="dl" sx={{ m: 0 }}>
                {group.lines.map((line) => (
                  <Line key={line.text} {...line} />
                ))}
              </Box>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {texts.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Line = ({ keys, text }: { keys: readonly string[]; text: string }) => (
  <Box sx={{ display: 'grid', gridTemplateColumns: '150px 1fr', py: 1, breakInside: 'avoid' }}>
    <Box component="dt" sx={{ display: 'flex', gap: 1 }}>
      <KeyCaps keys={keys} />
    </Box>
    <Box component="dd" sx={{ m: 0 }}>
      {text}
    </Box>
  </Box>
);
