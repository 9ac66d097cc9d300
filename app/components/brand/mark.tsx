import * as styles from "./mark.css";

/** The logo's paths on a 40 × 56 grid. The horn is separate so that the tab icon can rotate it. */
export const markPaths = {
  leftHorn:
    "M15.2 28C13.8 21 8.8 15.6 9 8.6C9.1 5 10.7 2 12.9 .3C13.6 -.2 14.5 .3 14.3 1.2C13.7 3.7 13.6 5.9 14.1 8.1C15.2 13.4 19 18 19.6 26Z",
  leftEar: "M14.8 29.2C10 30.2 4.6 28.4 1.5 23.9C1 23.1 1.4 22.4 2.3 22.4C7 22.3 11.8 23 15.6 26Z",
  face: "M20 24C24.6 24 27.6 26.2 27.4 30C27.1 36 25.2 41.5 23.9 49.3C23.3 53 22.1 55 20 55C17.9 55 16.7 53 16.1 49.3C14.8 41.5 12.9 36 12.6 30C12.4 26.2 15.4 24 20 24Z",
};

/** The transform that makes a left horn or ear a right one. */
export const mirror = "matrix(-1 0 0 1 40 0)";

/** The logo: an antelope's face. Its height comes from the class or the parent. */
export function Mark({ className = styles.mark }: { className?: string }) {
  const left = (
    <>
      <path d={markPaths.leftHorn} />
      <path d={markPaths.leftEar} />
    </>
  );
  return (
    <svg className={className} viewBox="0 -1 40 57" fill="currentColor" aria-hidden="true">
      {left}
      <g transform={mirror}>{left}</g>
      <path d={markPaths.face} />
    </svg>
  );
}
