import type { Schema } from "effect"
import { JsonParameter } from "./JsonParameter.js"

/** The query parameter `filters`: a JSON object with the conditions of a list. */
export const Filters = <A, I>(schema: Schema.Schema<A, I>, example: I) =>
  JsonParameter(schema, "a JSON object of conditions, all of which must hold", example)
