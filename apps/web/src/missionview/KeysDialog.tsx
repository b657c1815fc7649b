import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useContext, useId } from 'react';
import { unlessDoubleClick } from '../ui/dialog/unless-double-click.ts';
import { FeatureCommandsContext } from './feature-commands.ts';
import { keyList, type ViewKind } from './key-list.ts';
import { texts } from './texts.ts';

type Props = { open: boolean; view: ViewKind; onClose: () => void };

/** Dialog with the list of keys, opened by "?". */
export function KeysDialog({ open, view, onClose }: Props) {
  const titleId = useId();
  const features = useContext(FeatureCommandsContext);
  return (
    <Dialog open={open} onClose={unlessDoubleClick(onClose)} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>{texts.keys}</DialogTitle>
      <DialogContent>
        <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: '150px 1fr', rowGap: 2, m: 0 }}>
          {keyList(view, features?.lines ?? []).map(({ keys, text }) => (
            <Box key={text} sx={{ display: 'contents' }}>
              <Box component="dt" sx={{ display: 'flex', gap: 1 }}>
                {keys.map((key) => (
                  <Box
                    key={key}
                    component="kbd"
                    sx={{
                      px: 1.5,
                      border: 1,
                      borderColor: 'surface.lineStrong',
                      borderRadius: 1,
                      fontFamily: 'inherit',
                      fontSize: 12,
                    }}
                  >
                    {key}
                  </Box>
                ))}
              </Box>
              <Box component="dd" sx={{ m: 0 }}>
                {text}
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
