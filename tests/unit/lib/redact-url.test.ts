import { describe, expect, it } from "vitest";
import { hideSecrets, redactUrls } from "~/lib/redact-url";

describe("texts for the log", () => {
  it("hide secrets of 8 characters and more wherever they appear", () => {
    hideSecrets(["w7#Kq-2x", "w7#Kq-2y", "w7#Kq-3"]);
    expect(redactUrls("a w7#Kq-2x b w7#Kq-2y c w7#Kq-2x d w7#Kq-3")).toBe("a [secret] b [secret] c [secret] d w7#Kq-3");
  });

  it("show that a URL was shortened, even if only its fragment was cut", () => {
    expect(redactUrls("https://rpc.example/#key")).toBe("https://rpc.example/…");
    expect(redactUrls("https://rpc.example/")).toBe("https://rpc.example");
  });
});
