import { Box } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { labelColours } from '../../base/colours.ts';
import { useScheme } from '../StateDot.tsx';
import { texts } from '../texts.ts';
import { labelStyle } from './label-style.ts';

type Props = {
  label: Classification;
  /** If false, no label was ever set; the item is treated as having the highest one, and the mark says so. */
  marked?: boolean;
  /** `solid` over video and in bars, `tinted` on surfaces. */
  look?: 'tinted' | 'solid';
};

/** Mark with a classification, always as text and never by colour alone. */
export function LabelMark({ label, marked = true, look = 'tinted' }: Props) {
  const scheme = useScheme();
  const { fill, ink } = labelColours[label];
  const tinted = {
    color: ink[scheme],
    bgcolor: `color-mix(in srgb, ${fill} ${scheme === 'dark' ? 22 : 12}%, transparent)`,
    borderLeft: `2px solid ${fill}`,
  };
  return (
    <Box
      component="span"
      sx={{
        ...labelStyle,
        ...(look === 'solid' ? { bgcolor: fill } : tinted),
      }}
    >
      {marked ? label : texts.unmarked}
    </Box>
  );
}
