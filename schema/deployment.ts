/** The schema of declared arguments. It is strict, so misspelled keys are problems. */
import { z } from "zod";
import { deployment, type Field, type Fields, type Group, type Leaf } from "./fields";

type TypeOf<F extends Field> =
  F extends Leaf<infer T> ? z.infer<T> : F extends Group<infer G, infer R> ? WithRequired<G, R> : never;
type ValueOf<F extends Fields> = { -readonly [K in keyof F]?: TypeOf<F[K]> };
type WithRequired<F extends Fields, R extends string> = ValueOf<F> &
  Required<Pick<ValueOf<F>, Extract<R, keyof F>>>;

function typeOf(field: Field): z.ZodType {
  return (field.kind === "leaf" ? field.type : objectOf(field.fields, field.required)).describe(field.doc);
}

function objectOf(fields: Fields, required: readonly string[] = []): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        required.includes(name) ? typeOf(field) : typeOf(field).optional(),
      ]),
    ),
  );
}

/** The arguments of a deployment when all values are known, with a name and without `null`. */
export type Deployment = WithRequired<typeof deployment, "name" | "source">;

export const Deployment = objectOf(deployment, ["name", "source"]) as unknown as z.ZodType<Deployment>;
