import { ValidationError } from "@switchboard/domain/Errors"
import { Either } from "effect"
import { parsePart, type TemplateNode } from "./ParsePart.js"

/** The source of a template. */
export interface TemplateParts {
  readonly subject: string
  readonly html: string
  readonly text?: string | undefined
}

/** The parsed parts of a template. */
export interface CompiledTemplate {
  readonly subject: ReadonlyArray<TemplateNode>
  readonly html: ReadonlyArray<TemplateNode>
  readonly text: ReadonlyArray<TemplateNode> | null
}

/** All nodes of a template's parts. */
export const nodesOf = ({ html, subject, text }: CompiledTemplate): ReadonlyArray<TemplateNode> => [
  ...subject,
  ...html,
  ...(text ?? [])
]

const problemOf = (part: Either.Either<unknown, string>) => (Either.isLeft(part) ? [part.left] : [])

/** Parses a template. The error names the position of the problem in each part. */
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
        message: "The template can't be parsed",
        fields: Object.fromEntries(problems.filter(([, sentences]) => sentences.length > 0))
      })
    }
  )
}
