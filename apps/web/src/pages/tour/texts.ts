export const texts = {
  step: 'Tour, {at} of {count}',
  back: 'Back',
  next: 'Next',
  done: 'Done',
  skip: 'Skip tour',
  keys: 'Arrow keys or Enter continue, Escape ends the tour.',
  steps: {
    player: {
      title: 'Video and clock',
      text: 'Space plays and pauses. All sensors, the map and the telemetry follow one clock in UTC.',
    },
    timeline: {
      title: 'Timeline',
      text: 'Each row is a sensor, and an empty stretch is a gap in its recording. Click to go to a moment; bookmarks are pins here.',
    },
    map: {
      title: 'Map',
      text: 'It shows where the platform was and what ground the sensor saw. With AIS, ships are drawn where they were at this moment.',
    },
    telemetry: {
      title: 'Telemetry',
      text: 'These values belong to the picture on screen, also while it plays. T hides and shows them.',
    },
    mark: {
      title: 'Mark a moment',
      text: 'B bookmarks the picture on screen with a title. The bookmark stays on its picture when times are corrected.',
    },
    export: {
      title: 'Export a clip',
      text: 'I sets In and O sets Out on the timeline, and E exports the part between them, with its telemetry.',
    },
    find: {
      title: 'Find by place',
      text: 'Draw an area or name a town, and Find lists when a sensor saw it, in all missions that you may open.',
    },
  },
};
