/**
 * In forced-colours mode, a bar for something that is not done or has no data. GrayText would be bright green in one of
 * Windows' themes.
 */
export const hollow = { background: "Canvas", boxShadow: "inset 0 0 0 1px CanvasText" };
