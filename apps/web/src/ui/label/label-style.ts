import { size } from '../../base/sizes.ts';

/** Style of a classification on a ground of its colour. */
export const labelStyle = {
  display: 'inline-block',
  padding: '0 6px',
  borderRadius: '6px',
  fontSize: '11px',
  lineHeight: '20px',
  fontWeight: '600',
  letterSpacing: '0.03em',
  whiteSpace: 'nowrap',
  color: '#fff',
} as const;

/** Style of the bar with the highest label on screen. */
export const labelBarStyle = {
  height: `${size.labelBar}px`,
  lineHeight: `${size.labelBar}px`,
  color: '#fff',
  fontSize: '12px',
  fontWeight: '600',
  letterSpacing: '0.06em',
  textAlign: 'center',
  flex: 'none',
} as const;
