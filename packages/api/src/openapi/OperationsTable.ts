import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { Api } from "../Api.js"
import { operationRules } from "../OperationRules.js"

const whoMay = { apiKey: "API key", session: "session" }

/** Every operation with what it asks of its caller, as a table in Markdown: for the package's README. */
export const operationsTable: string = (() => {
  const rows = ["| Operation | What it does | Permission | Who may ask |", "| --- | --- | --- | --- |"]
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path }, mergedAnnotations }) => {
      const { credentials = [], permission = null } = operationRules.get(`${method} ${path}`) ?? {}
      rows.push(
        `| \`${method} ${path.replace(/:(\w+)/g, "{$1}")}\` | ${[
          Option.getOrElse(Context.getOption(mergedAnnotations, OpenApi.Summary), () => ""),
          permission === null ? "–" : `\`${permission}\``,
          credentials.map((credential) => whoMay[credential]).join(" or ") || "anybody"
        ].join(" | ")} |`
      )
    }
  })
  return rows.join("\n")
})()
