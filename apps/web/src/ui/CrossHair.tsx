import { Box } from '@mui/material';
import { useUnits } from '../base/units.ts';

const ARM = 14;
const GAP = 4;

/** Marks the middle of a picture or a map, if the user has enabled it. */
export function CrossHair() {
  const { crossHair } = useUnits();
  if (!crossHair) return null;
  const arms = `M${ARM + GAP} 0V${ARM}M${ARM + GAP} ${ARM + 2 * GAP}v${ARM}M0 ${ARM + GAP}H${ARM}M${ARM + 2 * GAP} ${ARM + GAP}h${ARM}`;
  const side = 2 * (ARM + GAP);
  return (
    <Box
      component="svg"
      aria-hidden="true"
      data-part="cross-hair"
      viewBox={`-1 -1 ${side + 2} ${side + 2}`}
      sx={{
        position: 'absolute',
        top: '50%',
        left: '50%',
        width: side + 2,
        height: side + 2,
        transform: 'translate(-50%, -50%)',
        pointerEvents: 'none',
      }}
    >
      {/* Dark below light: it is seen on any picture. */}
      <path d={arms} stroke="#000" strokeOpacity={0.6} strokeWidth={3} />
      <path d={arms} stroke="#fff" strokeWidth={1.2} />
    </Box>
  );
}
