import { type Brand, DateTime, Effect } from "effect"
import { newUuid } from "./NewUuid.js"

/** A new UUID version 7 and its time. Ids of one process sort in the order in which they were made. */
export const newId = <A extends string & Brand.Brand<string>>(schema: {
  readonly make: (value: string, options: { readonly disableValidation: boolean }) => A
}) =>
  Effect.map(DateTime.now, (now) => ({
    id: schema.make(newUuid(DateTime.toEpochMillis(now)), { disableValidation: true }),
    now
  }))
