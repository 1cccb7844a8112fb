import type { TemplateData } from "@switchboard/domain/email/templates/Template"
import { variablesIn } from "@switchboard/services/email/templates/ParsePart"
import {
  compileTemplate,
  nodesOf,
  renderTemplate,
  type TemplateParts
} from "@switchboard/services/email/templates/RenderTemplate"
import { Either } from "effect"

/** Renders a template with data decoded from JSON, or returns the errors of the template or the data. */
export const fill = (
  parts: Partial<TemplateParts>,
  data: TemplateData = {},
  fallbacks: Readonly<Record<string, string>> = {}
) =>
  Either.flatMap(
    Either.mapLeft(compileTemplate({ channel: "email", subject: "s", html: "h", text: "t", ...parts }), ({ fields }) =>
      JSON.stringify(fields)
    ),
    (compiled) =>
      renderTemplate(
        compiled,
        variablesIn(nodesOf(compiled), new Map(Object.entries(fallbacks))),
        JSON.parse(JSON.stringify(data))
      )
  )

/** The rendered HTML part; throws on an error. */
export const filledHtml = (html: string, data?: TemplateData, fallbacks?: Readonly<Record<string, string>>) =>
  Either.getOrThrowWith(fill({ html }, data, fallbacks), (problem) => new Error(problem)).html
