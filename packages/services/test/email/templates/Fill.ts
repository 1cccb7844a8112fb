import type { TemplateData } from "@switchboard/domain/email/templates/TemplateRequests"
import { compileTemplate, nodesOf, type TemplateParts } from "@switchboard/services/email/templates/CompileTemplate"
import { renderTemplate } from "@switchboard/services/email/templates/RenderTemplate"
import { variablesIn } from "@switchboard/services/email/templates/TemplateVariables"
import { Either } from "effect"

/** A template with data as JSON carries it, or what is wrong with either. */
export const fill = (
  parts: Partial<TemplateParts>,
  data: TemplateData = {},
  fallbacks: Readonly<Record<string, string>> = {}
) =>
  Either.flatMap(
    Either.mapLeft(compileTemplate({ subject: "s", html: "h", text: "t", ...parts }), ({ fields }) =>
      JSON.stringify(fields)
    ),
    (compiled) =>
      renderTemplate(
        compiled,
        variablesIn(nodesOf(compiled), new Map(Object.entries(fallbacks))),
        JSON.parse(JSON.stringify(data))
      )
  )

/** What an HTML part becomes, where all goes well. */
export const filledHtml = (html: string, data?: TemplateData, fallbacks?: Readonly<Record<string, string>>) =>
  Either.getOrThrowWith(fill({ html }, data, fallbacks), (problem) => new Error(problem)).html
