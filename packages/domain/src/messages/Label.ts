import { Schema } from "effect"
import { items } from "../Fields.js"
import { text } from "../Text.js"

/** A tag or a category: 1 to 100 characters. */
export const Label = text(1, 100)

/** Up to 20 tags or categories. */
export const Labels = Schema.Array(Label).pipe(items(0, 20))
