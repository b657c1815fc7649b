import { size } from '../base/sizes.ts';
import { type Span, ticksOf, xOf } from './scale.ts';

type Props = { span: Span; width: number; height: number };

/** Times along the top, and faint lines through the rows at the labelled ticks. */
export function Ruler({ span, width, height }: Props) {
  return (
    <g>
      {ticksOf(span, width).map(({ timeUs, label }) => {
        const x = Math.round(xOf(span, timeUs, width)) + 0.5;
        const y1 = label === null ? size.timelineRuler - 4 : 4;
        const y2 = label === null ? size.timelineRuler : height;
        return (
          <g key={timeUs}>
            <line x1={x} x2={x} y1={y1} y2={y2} stroke="var(--mui-palette-surface-line)" />
            {label !== null && (
              <text x={x + 4} y={16} fontSize={11} fill="var(--mui-palette-text-secondary)">
                {label}
              </text>
            )}
          </g>
        );
      })}
      <line
        x1={0}
        x2={width}
        y1={size.timelineRuler - 0.5}
        y2={size.timelineRuler - 0.5}
        stroke="var(--mui-palette-surface-line)"
      />
    </g>
  );
}
