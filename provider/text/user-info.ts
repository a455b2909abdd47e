/** Covers user and password inside addresses: a service quotes the addresses that it was given, and so do the builds that it runs. */
export const secretMark = "[secret]";

const at = "(?:@|%40)";
/** What ends the part of an address that holds the user, if that is escaped like the rest of the address. */
const end = String.raw`[/?#\\]|%2F|%3F|%23`;

/** `git@host`, without a password. */
const gitAlone = `git${at}(?:(?!${at}|${end}).)*(?:${end}|$)`;

/** At the beginning of what follows `//`. The last form is for a password with an unescaped `/`, and no port. */
const userInfo = new RegExp(
  `^(?!${gitAlone})(?:[^/?#\\\\]*(?=@)|(?:(?!${end}).)*(?=%40)|[^/?#:@%[\\]\\\\]*(?::|%3A)(?!\\d*(?:${end}|$)).*(?=${at}))`,
  "i",
);

/** `user:password@registry.example.com`, but no address of mail, version of a package, or image with a digest. */
const withoutScheme =
  /(?<![^=,;("'])(?!mailto:)[^=,;(:@/]{1,256}:[^@/]{1,256}(?=@(?!sha\d+:)(?:[\w-]+\.)*(?:[\w-]+:\d+\b|(?<=\.)[a-z]{2,}\b|\w+\(|\d+\.\d+\.\d+\.\d+\b|localhost\b))/gi;

/** A quote ends it, unless it is within the user or password of an address: not if the next item of a JSON list follows. */
const word = /(?:(?:\\?\/){2}(?:[^\s/?#@"'<>`]|["'](?![\]}]*,\\*["'{[]))*(?=@)|[^\s"'<>`])+/g;

export function withoutUserInfo(text: string): string {
  if (!/@|%40/.test(text)) return text;
  return text.replace(word, (found) =>
    found
      .split(/(?<=(?:\\?\/|%2F){2})/i)
      .map((part, index) =>
        index === 0 ? part.replace(withoutScheme, secretMark) : part.replace(userInfo, secretMark),
      )
      .join(""),
  );
}
