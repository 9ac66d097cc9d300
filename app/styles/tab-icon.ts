/** One set of colours for light and dark browser tabs, the same as in public/favicon.svg. */
export const tabIconColors = {
  mark: "#fff8f1",
  waiting: "#8c6f58",
  moving: "#ab3f18",
  done: "#33603a",
  stuck: "#a3182c",
};
