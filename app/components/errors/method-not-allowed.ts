/** 405: the page doesn't support the request's method. */
export const methodNotAllowedTexts = {
  title: "This action is not supported here",
  text: "This page doesn't accept this kind of request, so nothing was changed.",
};
