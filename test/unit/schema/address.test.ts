import { expect, test } from "vitest";
import { withoutCredentials } from "../../../schema/address";

const place = "code.example.com/team/chat.git";

test.each([
  `https://${place}`,
  "https://h/x",
  "https://h:8443/x",
  `https://code.example.com/@team/chat`,
  `git@code.example.com:team/chat.git`,
  `ssh://git@${place}`,
  "ssh://git@h:2222/x",
  `git+ssh://git@${place}`,
  "",
])("an address that carries nothing stays as it is: %s", (address) => {
  expect(withoutCredentials(address)).toBe(address);
});

test.each([
  ["https://TOKEN@h/x", "https://h/x"],
  ["https://u:TOKEN@h/x", "https://h/x"],
  ["https://git:TOKEN@h/x", "https://h/x"],
  ["git+https://TOKEN@h/x", "git+https://h/x"],
  ["git://TOKEN@h/x", "git://h/x"],
  ["ssh://TOKEN@h/x", "ssh://h/x"],
  ["ssh://git:TOKEN@h/x", "ssh://h/x"],
  ["TOKEN@h:x", "h:x"],
  ["https://u:pass/TOKEN/slash@h/x", "https://h/x"],
  ["https://u:1234/TOKEN@h/x", "https://h/x"],
  ["https://u:TOKEN#a?b@h/x", "https://h/x"],
  ["https://me@example.com:TOKEN@h/x", "https://h/x"],
  ["https:/u:TOKEN@h/x", "https:/h/x"],
  ["https:u:TOKEN@h/x", "h/x"],
  ["//u:TOKEN@h/x", "//h/x"],
  ["u:TOKEN@h/x", "h/x"],
  [" https://u:TOKEN@h/x\n", "https://h/x"],
  ["https://h/x?pat=TOKEN", "https://h/x"],
  ["https://h/x?pwd=TOKEN", "https://h/x"],
  ["https://h/x?code=TOKEN", "https://h/x"],
  ["https://h/x?TOKEN", "https://h/x"],
  ["https://h/x#TOKEN", "https://h/x"],
  ["https://h/x;token=TOKEN", "https://h/x"],
  [`https://${place}?by=a@TOKEN`, `https://${place}`],
])("whatever may be a credential is cut: %s", (address, expected) => {
  expect(withoutCredentials(address)).toBe(expected);
});
