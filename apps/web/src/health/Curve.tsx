import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatClock, formatNumber } from '../base/format.ts';
import { useScheme } from '../ui/StateDot.tsx';

type Props = {
  /** Description of the curve for screen readers. */
  label: string;
  height: number;
  /** Times of the values in UTC microseconds, ascending. */
  times: readonly number[];
  values: readonly (number | null)[];
  onShow: (timeUs: number) => void;
  /** Minimum range of the axis. */
  least?: readonly [from: number, to: number];
};

/** Chart of values over time. Dragging zooms in; a double click shows the picture at that time. */
export function Curve({ label, height, times, values, onShow, least }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const show = useRef(onShow);
  show.current = onShow;
  const scheme = useScheme();
  const [from, to] = least ?? [null, null];

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(`--mui-palette-${name}`).trim();
    const axis = {
      font: '11px "Inter Variable", sans-serif',
      stroke: colour('text-secondary'),
      grid: { stroke: colour('surface-line'), width: 1 },
      ticks: { show: false },
    };
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, drag: { x: true, y: false } },
        scales: {
          x: { time: true },
          ...(from !== null && {
            y: { range: (_plot, low, high) => [Math.min(from, low), Math.max(to, high)] as [number, number] },
          }),
        },
        axes: [
          { ...axis, size: 24, values: (_plot, splits) => splits.map((seconds) => formatClock(seconds * 1e6)) },
          {
            ...axis,
            size: 56,
            values: (_plot, splits, _axis, _space, step) => splits.map((value) => labelOf(value, step)),
          },
        ],
        series: [{}, { stroke: colour('primary-main'), width: 1.5, spanGaps: false, points: { show: false } }],
      },
      [times.map((timeUs) => timeUs / 1e6), [...values]],
      element,
    );
    const onDoubleClick = () => {
      const at = plot.cursor.idx;
      const timeUs = at === null || at === undefined ? undefined : times[at];
      if (timeUs !== undefined) show.current(timeUs);
    };
    plot.over.addEventListener('dblclick', onDoubleClick);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, values, height, from, to, scheme]);

  return <div ref={place} role="img" aria-label={label} />;
}

/** Formats a tick value with as many decimals as are needed to distinguish two ticks. */
const labelOf = (value: number, step: number): string =>
  formatNumber(value, Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))));
