/** The schema of declared arguments. It is strict, so misspelled keys are problems. */
import { z } from "zod";
import { deployment, type Field, type Fields, type Group, type Leaf } from "./fields";

type TypeOf<F extends Field> =
  F extends Leaf<infer T> ? z.infer<T> : F extends Group<infer G, infer R> ? WithRequired<G, R> : never;
type ValueOf<F extends Fields> = { -readonly [K in keyof F]?: TypeOf<F[K]> };
type WithRequired<F extends Fields, R extends string> = ValueOf<F> &
  Required<Pick<ValueOf<F>, Extract<R, keyof F>>>;

/** @param absent allows a field to be left out */
export function objectOf(
  fields: Fields,
  required: readonly string[],
  absent: (type: z.ZodType) => z.ZodType,
): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const type = field.kind === "leaf" ? field.type : objectOf(field.fields, field.required, absent);
        return [name, (required.includes(name) ? type : absent(type)).describe(field.doc)];
      }),
    ),
  );
}

/** The arguments of a deployment when all values are known, with a name and without `null`. */
export type Deployment = WithRequired<typeof deployment, "name" | "source">;

export const Deployment = objectOf(deployment, ["name", "source"], (type) =>
  type.optional(),
) as z.ZodType as z.ZodType<Deployment>;
