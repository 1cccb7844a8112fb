import { type Brand, DateTime, Effect } from "effect"
import { newUuid } from "./NewUuid.js"

/** A new UUID version 7 and its time. Ids of one process sort in the order in which they were made. */
export const newId = <A extends string & Brand.Brand<string>>(schema: {
  readonly make: (value: string, options: { readonly disableValidation: boolean }) => A
}) =>
  Effect.clockWith((clock) => {
    const milliseconds = clock.unsafeCurrentTimeMillis()
    const id = schema.make(newUuid(milliseconds), { disableValidation: true })
    return Effect.succeed({ id, now: DateTime.unsafeMake(milliseconds) })
  })
