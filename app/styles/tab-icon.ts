/** The browser's own ground, light or dark, is behind a tab's icon: one set of colours for both. As in public/favicon.svg. */
export const tabIconColors = {
  mark: "#fff8f1",
  waiting: "#8c6f58",
  moving: "#ab3f18",
  done: "#33603a",
  stuck: "#a3182c",
};
