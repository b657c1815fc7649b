import { Box, useMediaQuery } from '@mui/material';
import { type ReactNode, useContext, useMemo } from 'react';
import { ShipsOfPage } from '../ais/ShipsOfPage.tsx';
import { useAnnotationsOverlay } from '../annotations/useAnnotationsOverlay.ts';
import { unseen } from '../base/sizes.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { PastView } from '../past/PastView.tsx';
import { texts } from '../past/texts.ts';
import { usePageTitle } from './usePageTitle.ts';

/** The map at any recorded time, with or without a mission. */
export function PastPage() {
  usePageTitle(texts.title);
  const phone = useMediaQuery('(max-width: 599.95px)');
  return (
    <Box sx={{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 } }}>
      <Box component="h1" sx={unseen}>
        {texts.title}
      </Box>
      <ShipsOfPage mode="clock" all>
        <WithAnnotations>
          <PastView compact={phone} />
        </WithAnnotations>
      </ShipsOfPage>
    </Box>
  );
}

function WithAnnotations({ children }: { children: ReactNode }) {
  const annotations = useAnnotationsOverlay('anyTime');
  const others = useContext(PageOverlays);
  const overlays = useMemo(() => [...others, annotations], [others, annotations]);
  return <PageOverlays value={overlays}>{children}</PageOverlays>;
}
