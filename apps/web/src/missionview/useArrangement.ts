import { useMediaQuery } from '@mui/material';
import { LOW_WINDOW } from '../base/sizes.ts';
import { type Arrangement, arrangementOf } from './layout.ts';

/** Returns the arrangement of the view in this window. `containerPx`: width of the view. */
export const useArrangement = (containerPx: number, players: number): Arrangement =>
  arrangementOf(containerPx, players, useMediaQuery(LOW_WINDOW));
