/** SVG pattern for the hatching of gaps, `url(#osprey-gap)`; must be part of each SVG that draws gaps. */
export function GapPattern() {
  return (
    <defs>
      <pattern id="osprey-gap" width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line
          x1={0}
          y1={0}
          x2={0}
          y2={6}
          stroke="var(--mui-palette-text-disabled)"
          strokeOpacity={0.5}
          strokeWidth={1.5}
        />
      </pattern>
    </defs>
  );
}

type Props = {
  /** Position along the timeline, in px. */
  box: { x: number; width: number };
  /** Position in the row, in px. */
  inside: { y: number; height: number };
  /** Tooltip. */
  hint: string;
  words: string;
  /** Minimum width that has room for the words, in px. */
  wordsPx: number;
  part?: string;
};

/** A span in which nothing was recorded. Part of an SVG with `GapPattern`. */
export function Gap({ box, inside, hint, words, wordsPx, part }: Props) {
  return (
    <g data-part={part}>
      <title>{hint}</title>
      <rect {...box} {...inside} fill="url(#osprey-gap)" />
      {box.width > wordsPx && (
        <text
          x={box.x + box.width / 2}
          y={inside.y + inside.height / 2 + 4}
          textAnchor="middle"
          fontSize={11}
          fill="var(--mui-palette-text-secondary)"
          stroke="var(--mui-palette-surface-panel)"
          strokeWidth={4}
          paintOrder="stroke"
        >
          {words}
        </text>
      )}
    </g>
  );
}
