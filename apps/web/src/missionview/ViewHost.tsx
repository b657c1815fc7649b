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
  /** The features must always be the same and in the same order, since each calls a hook. */
  features: readonly ViewFeature[];
  view: OpenView;
  children: ReactNode;
};

const nothing: InView = {};
const none: readonly TimelineMark[] = [];

/**
 * Combines the additions of all features to a view, recorded or live, and provides them to the parts of the view by
 * contexts. The view is passed as `children`, so that a new mark redraws the timeline but no player.
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
