import * as McpSchema from "@effect/ai/McpSchema"
import { McpServer } from "@effect/ai/McpServer"
import { decodeForm } from "@switchboard/api/http/body/DecodeBody"
import { describeFields, fieldDescription, parameterDescription } from "@switchboard/api/openapi/DescribeFields"
import type { Switchboard } from "@switchboard/client/Switchboard"
import { ValidationError } from "@switchboard/domain/Errors"
import { wholeNumber } from "@switchboard/domain/Fields"
import { Cause, Effect, JSONSchema, Predicate, Record, Schema, SchemaAST } from "effect"
import { requestFailed, type ServiceAccess } from "../access/ServiceAccess.js"

/** The maximum number of calls in progress; further calls wait. */
const maxConcurrentCalls = 8

const maxWaitingCalls = 64

/** The maximum number of calls in progress or waiting; further calls are refused. */
export const maxOpenCalls = maxConcurrentCalls + maxWaitingCalls

/** An error of the service, of the connection or of the parameters. */
interface ToolError {
  readonly _tag: string
  readonly message: string
  readonly cause?: unknown
}

/** A tool for agents: one task over the operations of the service. */
export interface AgentTool {
  readonly tool: McpSchema.Tool
  readonly call: (client: Switchboard, parameters: unknown) => Effect.Effect<unknown, ToolError>
}

/** The JSON Schema of parameters, with the field descriptions of an operation (`messages.list`) or a schema (`CreateDraft`). */
const inputSchema = (schema: Schema.Schema.All, fieldsOf: string): unknown => {
  // The library declares an object without fields as any value.
  if (SchemaAST.getPropertySignatures(schema.ast).length === 0) return { type: "object", additionalProperties: false }
  const definitions: Record<string, unknown> = {}
  const schemas: Record<string, JSONSchema.JsonSchema7> = {}
  const written = JSONSchema.fromAST(schema.ast, { definitions: schemas, topLevelReferenceStrategy: "skip" })
  // Schemas of a choice have their own definitions, with the references of the OpenAPI document.
  const text = JSON.stringify({ ...written, $defs: schemas }).replaceAll("#/components/schemas/", "#/$defs/")
  const root: unknown = JSON.parse(text, (key, value: unknown) => {
    if (key !== "$defs" || !Predicate.isRecord(value)) return value
    Object.assign(definitions, value)
    return undefined
  })
  const describe = fieldsOf.includes(".") ? parameterDescription : fieldDescription
  if (!Predicate.isRecord(root)) return root
  return {
    ...root,
    properties: Record.map(Predicate.isRecord(root.properties) ? root.properties : {}, (property, name) => {
      const described = describeFields(fieldsOf, property)
      const description = describe(fieldsOf, name)
      return Predicate.isRecord(described) && described.description === undefined && description !== undefined
        ? { ...described, description }
        : described
    }),
    ...(Record.isEmptyRecord(definitions)
      ? {}
      : { $defs: Record.map(definitions, (value, name) => describeFields(name, value)) })
  }
}

/** What a call changes: nothing; it adds something; it changes something that exists; it sends a message. */
type Change = "none" | "adds" | "replaces" | "sends"

/** Declares a tool. Its parameters are validated by the schema, with all errors. */
export const agentTool = <A, I>({
  call,
  change,
  description,
  fieldsOf,
  name,
  parameters,
  title
}: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly change: Change
  /** The operation or schema whose field descriptions the parameters have. */
  readonly fieldsOf: string
  readonly parameters: Schema.Schema<A, I>
  readonly call: (client: Switchboard, parameters: A) => Effect.Effect<unknown, ToolError>
}): AgentTool => {
  const decode = decodeForm(parameters)
  return {
    tool: new McpSchema.Tool({
      name,
      title,
      description,
      inputSchema: inputSchema(parameters, fieldsOf),
      annotations: new McpSchema.ToolAnnotations({
        title,
        readOnlyHint: change === "none",
        destructiveHint: change === "replaces" || change === "sends",
        idempotentHint: false,
        openWorldHint: change === "sends"
      })
    }),
    call: (client, given) =>
      Effect.flatMap(
        Effect.mapError(
          decode(given),
          ({ fields }) =>
            new ValidationError({ message: "The parameters are invalid", ...(fields === undefined ? {} : { fields }) })
        ),
        (decoded) => call(client, decoded)
      )
  }
}

const maxListed = 50
const defaultListed = 10

/** The page of a list. */
export const paging = {
  page: Schema.optional(wholeNumber(1, 10_000, { default: 1 })).annotations({
    description: "Number of the page, from 1. Default: 1."
  }),
  limit: Schema.optional(wholeNumber(1, maxListed, { default: defaultListed })).annotations({
    description: `Items per page, 1 to ${maxListed}. Default: ${defaultListed}.`
  })
}

/** The page of a request with the default limit. */
export const pageOf = ({
  limit = defaultListed,
  page = 1
}: {
  readonly limit?: number | undefined
  readonly page?: number | undefined
}) => ({ limit, page })

/** The maximum length of a response in UTF-16 code units: about 12,000 tokens of a model. */
const maxResponseLength = 48_000

/** Limits of texts (UTF-16 code units) and lists, tried in this order until a response is short enough. */
const limits = [
  { text: 8_000, items: 100 },
  { text: 2_000, items: 50 },
  { text: 500, items: 20 },
  { text: 200, items: 10 }
] as const

/** JSON with truncated texts and lists, which name the number of the omitted characters or items. */
const truncated = (value: unknown, { items, text }: (typeof limits)[number]) =>
  JSON.stringify(value, (_, part: unknown) => {
    if (Predicate.isString(part) && part.length > text) {
      return `${part.slice(0, text)}… (truncated: ${part.length - text} more characters)`.toWellFormed()
    }
    return Array.isArray(part) && part.length > items
      ? [...part.slice(0, items), `(truncated: ${part.length - items} more items)`]
      : part
  })

/** A result as JSON of bounded length. */
const boundedJson = (value: unknown): string => {
  for (const limit of limits) {
    const json = truncated(value, limit)
    if (json.length <= maxResponseLength) return json
  }
  return `${truncated(value, limits[3]).slice(0, maxResponseLength)}… (truncated: the response is too long)`.toWellFormed()
}

const resultOf = (value: unknown, isError: boolean) =>
  new McpSchema.CallToolResult({ content: [{ type: "text", text: boundedJson(value) }], isError })

/** Registers tools with the server. Calls are made with the client; at most 8 at the same time. */
export const registerTools = (access: ServiceAccess, client: Switchboard, tools: ReadonlyArray<AgentTool>) =>
  Effect.gen(function* () {
    const server = yield* McpServer
    const calls = yield* Effect.makeSemaphore(maxConcurrentCalls)
    yield* Effect.forEach(tools, ({ call, tool }) =>
      server.addTool({
        tool,
        handle: (parameters) =>
          call(client, parameters).pipe(
            Effect.map((value) => resultOf(value, false)),
            Effect.catchAll((error) =>
              Effect.succeed(
                resultOf(
                  {
                    _tag: error._tag,
                    message: requestFailed(access)(error).message,
                    ...(error instanceof ValidationError ? { fields: error.fields } : {})
                  },
                  true
                )
              )
            ),
            Effect.catchAllDefect((defect) =>
              Effect.as(
                Effect.logError(`The tool ${tool.name} failed`, Cause.die(defect)),
                resultOf({ _tag: "InternalError", message: `The tool ${tool.name} failed: see the log` }, true)
              )
            ),
            calls.withPermits(1)
          )
      })
    )
  })
