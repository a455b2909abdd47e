import { expect, it } from "vitest";
import { redactor } from "../../../provider/text/redact";
import { sanitize } from "../../../provider/text/sanitize";

const password = "s3cr3t+pass=99";

it.each([
  `https://robot:${password}@registry.example.com/v2/`,
  `https://${password}@github.com/acme/chat.git`,
  `git+https://x-access-token:${password}@github.com/acme/chat`,
  `postgres://chat:a@${password}@db.example.com:5432/chat`,
  `postgres://chat:a/${password}@db.example.com:5432/chat`,
  `https://chat:a%2F${password}%40b@db.example.com/`,
  `redis://:${password}@cache`,
  `clone?from=https%3A%2F%2Frobot%3A${password}%40git.example.com%2Fchat`,
  `{"image":"https:\\/\\/robot:${password}@registry.example.com\\/chat"}`,
  `http_proxy=robot:${password}@proxy.example.com:3128`,
  `https://git%40example.com:${password}@git.example.com/chat`,
  `https://git:${password}@git.example.com/chat`,
  `postgres://chat:pa'${password}"@db.example.com/chat`,
  `{"url":"https:\\/\\/robot:pa'${password}@registry.example.com"}`,
  `https://pa'${password}@git.example.com/chat`,
  `chat:${password}@tcp(10.0.0.1:3306)/chat`,
])("user and password in an address of a text are covered, and the host is not: %#", (text) => {
  for (const shown of [sanitize(text), redactor([])(text)]) {
    expect(shown).not.toMatch(/s3cr3t|pass/);
    expect(shown).toMatch(/\[secret\](@|%40)[a-z0-9]/);
  }
  expect(sanitize(text, text.indexOf(password) + 10)).not.toMatch(/s3cr3t|pass/);
});

it.each([
  "https://registry.example.com:5000/chat@sha256:1234567890abcdef1234567890abcdef",
  "//cdn.example.com/react@18.2.0 and http://[::1]:8080/pkg@2",
  "https://registry.example.com/%40acme%2Fchat",
  "ssh://git@github.com/acme/chat.git",
  "git@github.com:acme/chat.git",
  "ssh://git@github.com:22/acme/chat.git and ssh://git@github.com:acme/chat.git",
  `{"urls":["https://a.example.com","ops@example.com"]},{"url":"http://[::1]:80"},{"mail":"ops@example.com"}`,
  `<a href="https://example.com">ops@example.com</a>`,
  "mailto:ops@example.com, ops@example.com",
  "npm:react@18.2.0",
  "registry.example.com/chat:1.2@sha256:1234567890abcdef1234567890abcdef",
])("an address without them is shown as it is: %s", (text) => {
  expect(sanitize(text)).toBe(text);
  expect(redactor([])(text)).toBe(text);
});

it("a long text takes no longer than its length", () => {
  for (const part of `//a:b =a: // a:b@ //a' //a:"b a' git@ //git%40a: %2F%2Fa:%40`.split(" "))
    expect(redactor([])(`${part.repeat(100_000)} @`)).toMatch(/ @$/);
}, 60_000);
