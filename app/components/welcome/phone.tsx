import { fill, small, stroke, tiny, touch } from "./illustration.css";

export type PhoneRow = {
  text: string;
  /** Highlighted as the one to tap. */
  tap?: true;
  /** Drawn as a button rather than a list item. */
  button?: true;
  /** Drawn in a muted colour, for explanations. */
  muted?: true;
};

export type PhoneProps = { title: string; rows: readonly PhoneRow[]; x?: number; y?: number };

const width = 150;
const height = 236;
const rowHeight = 32;

/** A simplified phone screen: it shows what to look for, not the exact design. */
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
      {rows.map((row, index) => (
        <Row key={row.text} {...row} y={60 + index * (rowHeight + 2)} />
      ))}
    </g>
  );
}

function Row({ text, tap, button, muted, y }: PhoneRow & { y: number }) {
  const box = { x: 12, y, width: width - 24, height: rowHeight - 2, rx: 9 };
  const textClass = button && tap ? fill.onAccent : muted ? fill.muted : fill.ink;
  return (
    <g>
      {tap ? <rect className={button ? fill.accent : fill.accentSoft} {...box} /> : null}
      {button && !tap ? <rect className={fill.sunken} {...box} /> : null}
      <text
        className={`${textClass} ${tiny}`}
        x={button ? width / 2 : 20}
        y={y + 19}
        textAnchor={button ? "middle" : "start"}
      >
        {text}
      </text>
      {tap ? (
        <g transform={`translate(${width - 14} ${y + rowHeight - 4})`}>
          <circle className={fill.accent} r="13" opacity=".3" />
          <circle className={touch} r="7.5" />
        </g>
      ) : null}
    </g>
  );
}
