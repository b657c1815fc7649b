import { Box } from '@mui/material';
import { unseen } from '../base/sizes.ts';
import { FindPanel } from '../coverage/find/FindPanel.tsx';
import { texts } from '../coverage/find/texts.ts';
import { usePageTitle } from './usePageTitle.ts';

/** When a place was seen, in all recordings. */
export function FindPage() {
  usePageTitle(texts.title);
  return (
    <>
      <Box component="h1" sx={unseen}>
        {texts.title}
      </Box>
      <FindPanel />
    </>
  );
}
