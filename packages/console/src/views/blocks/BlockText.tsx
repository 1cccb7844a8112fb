import type { Block } from "../../app/Types.js"

export const blockReasons = ["hard_bounce", "complaint", "unsubscribe", "manual"] as const

/** What a block applies to. */
export const blockScope = ({ category, type, value }: Block): string =>
  `${type === "domain" ? `all addresses at ${value}` : value}${category === undefined ? "" : `, category ${category}`}`

/** Why a block was added. */
export const blockReason = ({ reason }: Pick<Block, "reason">): string => reason.replaceAll("_", " ")
