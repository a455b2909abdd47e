import { stories } from "../../docs/documents";

/** The examples whose README shows what its commands print. */
export const told = stories.flatMap(({ example, keeps }) =>
  example === undefined ? [] : [{ example, keeps }],
);
