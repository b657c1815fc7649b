import { mdiClose, mdiFerry } from '@mdi/js';
import { Badge, Box, Paper, Popper } from '@mui/material';
import { useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { formatCount } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { later } from '../../ui/later.tsx';
import { useShipCount } from './in-frame-now.ts';
import { texts } from './texts.ts';

const ShipsInFrame = later(async () => (await import('./ShipsInFrame.tsx')).ShipsInFrame);

type Props = { sensors: readonly { _id: string; name: string }[] };

/** Style of the badge: placed inside the button, since the bar clips everything outside of it. */
const badgeStyle = {
  '& .MuiBadge-badge': { top: 6, right: 5, height: 15, minWidth: 15, px: 1, fontSize: 10 },
} as const;

/**
 * Button of the control bar with the number of ships in the pictures. It opens their list, which stays open during
 * playback.
 */
export function ShipsInFrameAction({ sensors }: Props) {
  const isOffered = useSession().info?.useAis === true;
  const count = useShipCount();
  const anchor = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  if (!isOffered) return null;
  function close() {
    setOpen(false);
    anchor.current?.querySelector('button')?.focus();
  }
  return (
    <>
      <Badge ref={anchor} badgeContent={count} color="primary" max={99} overlap="circular" sx={badgeStyle}>
        {/* Below it is the list. */}
        <Action label={texts.title} icon={mdiFerry} side="left" on={open} onClick={() => setOpen(!open)} />
      </Badge>
      {open && (
        <Popper open anchorEl={() => anchor.current!} placement="bottom-end" sx={{ zIndex: 'modal' }}>
          <Paper
            component="section"
            aria-label={texts.title}
            elevation={8}
            onKeyDown={(event) => event.key === 'Escape' && close()}
            sx={{ width: 300, mt: 1, maxHeight: 'min(480px, 60vh)', display: 'flex', flexDirection: 'column' }}
          >
            <Box
              sx={{ display: 'flex', alignItems: 'center', pl: 3, pr: 1, borderBottom: 1, borderColor: 'surface.line' }}
            >
              <Box component="h3" sx={{ m: 0, flex: 1, fontSize: 14 }}>
                {texts.title}
              </Box>
              <Box component="span" role="status" sx={{ color: 'text.secondary', fontSize: 12, pr: 1 }}>
                {count > 0 && formatCount(count, texts.count)}
              </Box>
              <Action label={texts.close} icon={mdiClose} onClick={close} />
            </Box>
            <Box sx={{ overflowY: 'auto', minHeight: 64 }}>
              <ShipsInFrame sensors={sensors} />
            </Box>
          </Paper>
        </Popper>
      )}
    </>
  );
}
