import { Either } from "effect"
import Mustache, { type TemplateSpans } from "mustache"
import { checkTags } from "./TemplateTags.js"

/** A node of a parsed template. */
export type TemplateNode =
  | { readonly _tag: "Text"; readonly text: string; readonly octets: number }
  | { readonly _tag: "Value"; readonly name: string; readonly path: ReadonlyArray<string>; readonly escaped: boolean }
  | {
      readonly _tag: "Section"
      readonly name: string
      readonly path: ReadonlyArray<string>
      readonly inverted: boolean
      readonly nodes: ReadonlyArray<TemplateNode>
    }

/** The property path of a name. A lone dot is the current section's value. */
export const pathOf = (name: string): ReadonlyArray<string> =>
  name === "." ? [] : name.indexOf(".") > 0 ? name.split(".") : [name]

const text = (value: string): TemplateNode => ({ _tag: "Text", text: value, octets: Buffer.byteLength(value) })

const nodesOf = (spans: TemplateSpans): ReadonlyArray<TemplateNode> =>
  spans.flatMap((span): ReadonlyArray<TemplateNode> => {
    const [kind, name, , , inner] = span
    if (kind === "text") return [text(name)]
    if (kind === "!") return []
    const path = pathOf(name)
    return kind === "#" || kind === "^"
      ? [{ _tag: "Section", name, path, inverted: kind === "^", nodes: Array.isArray(inner) ? nodesOf(inner) : [] }]
      : [{ _tag: "Value", name, path, escaped: kind === "name" }]
  })

/** Parses a part of a template with the Mustache library, or returns the problem. */
export const parsePart = (source: string): Either.Either<ReadonlyArray<TemplateNode>, string> =>
  Either.map(checkTags(source), (checked) =>
    // A new Writer, since the default one caches every template forever.
    nodesOf(new Mustache.Writer().parse(checked))
  )
