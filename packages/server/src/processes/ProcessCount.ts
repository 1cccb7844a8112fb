import { availableParallelism } from "node:os"
import { Schema } from "effect"

/** The number of processes: 1 to 64, or `auto` for one per core. */
export const ProcessCount = Schema.String.pipe(
  Schema.pattern(/^(?:auto|[1-9]|[1-5]\d|6[0-4])$/, { message: () => "must be a number from 1 to 64, or auto" }),
  Schema.transform(Schema.Number, {
    strict: true,
    decode: (text) => (text === "auto" ? availableParallelism() : Number(text)),
    encode: String
  })
)
