import { type Brand, DateTime, Effect } from "effect"
import { v7 } from "uuid"

/** A fresh UUID version 7 and the instant it carries: what is made together sorts together. */
export const newId = <A extends string & Brand.Brand<string>>(schema: {
  readonly make: (value: string, options: { readonly disableValidation: boolean }) => A
}) =>
  Effect.map(DateTime.now, (now) => ({
    id: schema.make(v7({ msecs: DateTime.toEpochMillis(now) }), { disableValidation: true }),
    now
  }))
