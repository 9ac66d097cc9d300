/** Digits without the zeros at their end. Takes linear time, which `/0+$/` does not. */
export function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
