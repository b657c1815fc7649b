import { Box } from '@mui/material';
import type { FoundSpan } from '@osprey/contract';
import { useState } from 'react';
import { unseen } from '../base/sizes.ts';
import { FindPanel } from '../coverage/find/FindPanel.tsx';
import { texts } from '../coverage/find/texts.ts';
import { requestedExports } from '../missions/exports/export-store.ts';
import { FoundBookmark } from './FoundBookmark.tsx';
import { usePageTitle } from './usePageTitle.ts';

/** Page that finds when a place was seen, in all recordings. */
export function FindPage() {
  usePageTitle(texts.title);
  const [marked, setMarked] = useState<FoundSpan | null>(null);
  return (
    <>
      <Box component="h1" sx={unseen}>
        {texts.title}
      </Box>
      <FindPanel onBookmark={setMarked} onOrdered={requestedExports.add} />
      {marked && <FoundBookmark span={marked} onClose={() => setMarked(null)} />}
    </>
  );
}
