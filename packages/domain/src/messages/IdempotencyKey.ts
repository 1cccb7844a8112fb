import { text } from "../Text.js"

/** 1 to 255 Unicode code points. */
export const IdempotencyKey = text(1, 255).annotations({ description: "an idempotency key" })
