/** 405: an address was asked to do what it does not do. */
export const methodRefused = {
  title: "This cannot be done here",
  text: "The page takes nothing that is sent to it this way, so nothing was done.",
};
