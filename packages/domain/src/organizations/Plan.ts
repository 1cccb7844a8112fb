import { Schema } from "effect"

export const Plan = Schema.Literal("free", "starter", "growth", "unlimited")
export type Plan = typeof Plan.Type
