export const texts = {
  ships: 'Ships',
  names: 'Ship names',
  group: 'Ships',
  vector: 'Ship vectors',
  noVector: 'Off',
  minutes: (minutes: number) => `${minutes} min`,
  vectorLabel: (minutes: number) => (minutes === 0 ? 'No vectors' : `Vectors of ${minutes} minutes`),
  knots: (knots: number) => `${knots.toFixed(1)} kn`,
  course: (degrees: number) => `${String(Math.round(degrees) % 360).padStart(3, '0')}°`,
  silent: (minutes: number) => `silent for ${minutes} min`,
  aid: 'Aid to navigation',
  base: 'Base station',
} as const;
