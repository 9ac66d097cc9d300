import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { toNumberStyle } from "~/lib/number-style";
import { formatExactMoney } from "~/lib/shown-amount";
import { AmountText } from "~/routes/swap/quote/order/amount-text";

const render = (text: string) => renderToStaticMarkup(<AmountText>{text}</AmountText>);
const toText = (html: string) => html.replace(/<[^>]+>/g, "").replaceAll("&#x27;", "'");

describe("a text with an amount", () => {
  it("shows the whole text in every language, whatever separates the thousands", () => {
    for (const tag of ["en", "de", "de-CH", "fr", "es", "pl", "pt-PT", "ru", "sv", "uk", "hi"]) {
      for (const amount of ["250", "1234.56", "9999.123456", "12345.67", "1234567.5", "1234567.123456"]) {
        for (const coin of ["USDT", "MOB"] as const) {
          const text = `Send exactly ${formatExactMoney(amount, coin, toNumberStyle(tag))} now`;
          expect(toText(render(text)), tag).toBe(text);
        }
      }
    }
  });

  it("breaks between the amount and its coin only", () => {
    expect(render("Send 1\u00a0234\u00a0567,50\u00a0USDT now")).toMatch(
      /^Send <span class="[^"]+">1\u00a0234\u00a0567,50\u00a0<wbr\/>USDT<\/span> now$/,
    );
    expect(render("We need your decision")).toBe("We need your decision");
  });
});
