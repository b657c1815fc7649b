/** Style of the element that shows a recording or a live stream. */
export const pictureStyle = {
  position: 'absolute',
  inset: '0',
  width: '100%',
  height: '100%',
  objectFit: 'contain',
} as const;

/** Style of the frame around a picture, and of the text over it. */
export const frameStyle = { overflow: 'hidden', borderRadius: '6px', background: '#000', color: '#F2F5F9' } as const;

export const headStyle = {
  position: 'absolute',
  inset: '0 0 auto',
  height: '64px',
  display: 'flex',
  alignItems: 'flex-start',
  gap: '8px',
  padding: '6px',
  background: 'linear-gradient(rgb(0 0 0 / 0.78), rgb(0 0 0 / 0.4) 55%, transparent)',
  fontSize: '13px',
  lineHeight: '28px',
  whiteSpace: 'nowrap',
} as const;

export const footStyle = {
  position: 'absolute',
  inset: 'auto 0 0',
  height: '64px',
  display: 'flex',
  alignItems: 'flex-end',
  gap: '12px',
  padding: '8px',
  background: 'linear-gradient(transparent, rgb(0 0 0 / 0.4) 45%, rgb(0 0 0 / 0.78))',
  fontSize: '13px',
  lineHeight: '20px',
  fontVariantNumeric: 'tabular-nums',
  whiteSpace: 'nowrap',
} as const;

/** Ground of a text at the foot, which may be above text in the picture itself. */
export const groundStyle = { padding: '0 6px', borderRadius: '4px', background: 'rgb(0 0 0 / 0.6)' } as const;

/** Bar in the platform's colour. */
export const barStyle = { width: '4px', height: '16px', marginTop: '6px', borderRadius: '3px', flex: 'none' } as const;

/** Style of text that is truncated if there is no room for it. */
export const cutStyle = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;
