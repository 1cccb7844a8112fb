import type { Draft } from "../../app/Types.js"

/** The title of a draft, or else its subject. */
export const draftName = ({ content, title }: Draft): string => title || content.subject || "Untitled"
