import { Fragment, type ReactNode, useContext, useMemo } from 'react';
import { MapQueryContext } from '../map/map-query.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { joinGuests, PictureGuestContext } from '../player/picture/guest.ts';
import { TimelineExtrasContext, type TimelineMark } from '../timeline/marks.ts';
import { useSameFunction } from '../ui/useSameFunction.ts';
import { useSameList } from '../ui/useSameList.ts';
import type { InView, OpenView, ViewFeature } from './feature.ts';
import { FeatureCommandsContext, OpenViewContext, offeredIn } from './feature-commands.ts';
import { PhoneExtrasContext } from './phone-extras.ts';

type Props = {
  /** Always the same ones, in the same order: each has a hook. */
  features: readonly ViewFeature[];
  view: OpenView;
  children: ReactNode;
};

const nothing: InView = {};
const none: readonly TimelineMark[] = [];

/**
 * Joins what features add to a view, recorded or live, and hands it to the parts of the view by their contexts. It gets the view as
 * `children`: a new mark draws the timeline and no player.
 */
export function ViewHost({ features, view, children }: Props) {
  const added = features.map(({ useInView = () => nothing }) => useInView(view));
  const all = <Name extends keyof InView>(name: Name) =>
    added.map((one) => one[name]).filter((part) => part !== undefined && part !== null) as NonNullable<InView[Name]>[];
  const others = useContext(PageOverlays);
  const lists = useSameList(added.map(({ marks }) => marks ?? none));
  const [selection] = all('selection');
  const [hits] = all('hits');
  const [spans] = all('spans');
  const extras = useMemo(
    () => ({ marks: lists.flat(), ...(selection && { selection }), ...(hits && { hits }), ...(spans && { spans }) }),
    [lists, selection, hits, spans],
  );
  const overlays = useSameList([...all('underlay'), ...others, ...all('overlay')]);
  const guests = useSameList(all('guest'));
  const guest = useMemo(() => joinGuests(guests), [guests]);
  const [mapQuery = null] = all('mapQuery');
  const tabs = useSameList(all('phoneTab'));
  const [mark = null] = useSameList(all('phoneMark'));
  const phone = useMemo(() => ({ mark, tabs }), [mark, tabs]);
  const run = useSameFunction((name: string) => {
    for (const { commands } of added) commands?.[name]?.(extras.marks);
  });
  const commands = useMemo(() => ({ run, ...offeredIn(view.view, features) }), [run, features, view.view]);
  const opened = useMemo(() => ({ features, view }), [features, view]);

  const wrapped = features.reduceRight<ReactNode>(
    (inner, { Around }) => (Around ? <Around view={view}>{inner}</Around> : inner),
    children,
  );
  return (
    <OpenViewContext value={opened}>
      <FeatureCommandsContext value={commands}>
        <PageOverlays value={overlays}>
          <TimelineExtrasContext value={extras}>
            <PictureGuestContext value={guest}>
              <MapQueryContext value={mapQuery}>
                <PhoneExtrasContext value={phone}>{wrapped}</PhoneExtrasContext>
              </MapQueryContext>
            </PictureGuestContext>
            {features.map(({ id }, at) => (
              <Fragment key={id}>{added[at]?.dialogs}</Fragment>
            ))}
          </TimelineExtrasContext>
        </PageOverlays>
      </FeatureCommandsContext>
    </OpenViewContext>
  );
}
