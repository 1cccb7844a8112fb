import { ValidationError } from "@switchboard/domain/Errors"
import { Either } from "effect"
import { parsePart, type TemplateNode } from "./ParsePart.js"

/** What a template says, before any data. */
export interface TemplateParts {
  readonly subject: string
  readonly html: string
  readonly text?: string | undefined
}

/** A template's parts, ready to be rendered. */
export interface CompiledTemplate {
  readonly subject: ReadonlyArray<TemplateNode>
  readonly html: ReadonlyArray<TemplateNode>
  readonly text: ReadonlyArray<TemplateNode> | null
}

/** Everything in a template. */
export const nodesOf = ({ html, subject, text }: CompiledTemplate): ReadonlyArray<TemplateNode> => [
  ...subject,
  ...html,
  ...(text ?? [])
]

const problemOf = (part: Either.Either<unknown, string>) => (Either.isLeft(part) ? [part.left] : [])

/** A template as the parser takes it, or what is wrong with each of its parts, and where. */
export const compileTemplate = ({
  html,
  subject,
  text
}: TemplateParts): Either.Either<CompiledTemplate, ValidationError> => {
  const parts = { subject: parsePart(subject), html: parsePart(html), text: parsePart(text ?? "") }
  return Either.mapLeft(
    Either.map(Either.all(parts), (parsed) => ({ ...parsed, text: text === undefined ? null : parsed.text })),
    () => {
      const problems = Object.entries(parts).map(([field, part]) => [field, problemOf(part)] as const)
      return new ValidationError({
        message: "The template does not parse",
        fields: Object.fromEntries(problems.filter(([, sentences]) => sentences.length > 0))
      })
    }
  )
}
