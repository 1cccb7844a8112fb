import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { Api } from "../Api.js"
import { operationRules } from "../OperationRules.js"

const credentialNames = { apiKey: "API key", session: "session" }

/** A Markdown table of all operations with their permission and credentials, for the README of the package. */
export const operationsTable: string = (() => {
  const rows = ["| Operation | Summary | Permission | Credentials |", "| --- | --- | --- | --- |"]
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path }, mergedAnnotations }) => {
      const { credentials = [], permission = null } = operationRules.get(`${method} ${path}`) ?? {}
      rows.push(
        `| \`${method} ${path.replace(/:(\w+)/g, "{$1}")}\` | ${[
          Option.getOrElse(Context.getOption(mergedAnnotations, OpenApi.Summary), () => ""),
          permission === null ? "–" : `\`${permission}\``,
          credentials.map((credential) => credentialNames[credential]).join(" or ") || "none"
        ].join(" | ")} |`
      )
    }
  })
  return rows.join("\n")
})()
