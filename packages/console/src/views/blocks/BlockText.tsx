import type { Block } from "../../app/Types.js"

/** What a block applies to. */
export const blockScope = ({ category, type, value }: Block): string =>
  `${type === "domain" ? `all addresses at ${value}` : value}${category === undefined ? "" : `, category ${category}`}`

/** Why a block was added. */
export const blockReason = ({ reason }: Block): string => reason.replaceAll("_", " ")
