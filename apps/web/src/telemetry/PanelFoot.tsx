import { mdiAlert, mdiHexadecimal } from '@mdi/js';
import { Box } from '@mui/material';
import type { RefObject } from 'react';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';

type Props = {
  /** Element for rate and age of the sets; updated with each frame. */
  foot: RefObject<HTMLSpanElement | null>;
  /** Element for the number of sets with a wrong checksum; updated with each frame, hidden if there are none. */
  failed: RefObject<HTMLSpanElement | null>;
  bytesButton: RefObject<HTMLButtonElement | null>;
  bytes: boolean;
  onBytes: () => void;
};

/** Foot of the panel with facts about the sets themselves, and the button that shows their bytes. */
export function PanelFoot({ foot, failed, bytesButton, bytes, onBytes }: Props) {
  return (
    <Box
      sx={{
        flex: 'none',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        pl: 2,
        pr: 0.5,
        minHeight: 27,
        borderTop: 1,
        borderColor: 'surface.line',
        color: 'text.secondary',
      }}
    >
      <Box
        component="span"
        ref={foot}
        sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      />
      <Box
        component="span"
        hidden
        ref={failed}
        data-part="failed-sets"
        sx={{ color: 'warning.main', fontWeight: 600, whiteSpace: 'nowrap', '&[hidden]': { display: 'none' } }}
      >
        <Icon path={mdiAlert} sx={{ fontSize: 13, verticalAlign: '-2px', mr: 0.5 }} />
        <span />
      </Box>
      <Action
        ref={bytesButton}
        label={texts.bytes}
        icon={mdiHexadecimal}
        on={bytes}
        onClick={onBytes}
        side="top"
        sx={{ width: 24, height: 24, '& svg': { fontSize: 15 } }}
      />
    </Box>
  );
}
