import { fill, small, stroke, tiny } from "./drawing.css";

export type PhoneRow = {
  words: string;
  /** The one to tap. */
  tap?: true;
  /** A button of the app rather than a line of a list. */
  button?: true;
  /** Smaller and quieter: an explanation. */
  quiet?: true;
};

export type PhoneProps = { title: string; rows: readonly PhoneRow[]; x?: number; y?: number };

const width = 150;
const height = 236;
const rowHeight = 32;

/** A telephone of our own drawing: what to look for, not what it looks like to the pixel. */
export function Phone({ title, rows, x = 0, y = 0 }: PhoneProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={fill.ink} width={width} height={height} rx="22" />
      <rect className={fill.raised} x="6" y="6" width={width - 12} height={height - 12} rx="17" />
      <rect className={fill.line} x={width / 2 - 18} y="12" width="36" height="5" rx="2.5" />
      <path className={stroke.muted} strokeWidth="2" d="m22 33-5 5 5 5" />
      <text className={`${fill.ink} ${small}`} x="32" y="42">
        {title}
      </text>
      <path className={stroke.line} strokeWidth="1" d={`M6 54h${width - 12}`} />
      {rows.map((row, at) => (
        <Row key={row.words} {...row} y={60 + at * (rowHeight + 2)} />
      ))}
    </g>
  );
}

function Row({ words, tap, button, quiet, y }: PhoneRow & { y: number }) {
  const box = { x: 12, y, width: width - 24, height: rowHeight - 2, rx: 9 };
  const wordsClass = button && tap ? fill.onAccent : quiet ? fill.muted : fill.ink;
  return (
    <g>
      {tap ? <rect className={button ? fill.accent : fill.accentSoft} {...box} /> : null}
      {button && !tap ? <rect className={fill.sunken} {...box} /> : null}
      <text
        className={`${wordsClass} ${tiny}`}
        x={button ? width / 2 : 20}
        y={y + 19}
        textAnchor={button ? "middle" : "start"}
      >
        {words}
      </text>
      {tap ? (
        <g transform={`translate(${width - 8} ${y + rowHeight / 2})`}>
          <circle className={stroke.accent} r="15" strokeWidth="2" opacity=".45" />
          <circle className={stroke.accent} r="9" strokeWidth="2.5" />
        </g>
      ) : null}
    </g>
  );
}
