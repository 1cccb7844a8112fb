export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object of a JSON text. Throws if it is not an object. */
export const parseJsonObject = (json: string): JsonObject => {
  const value: unknown = JSON.parse(json)
  if (!isJsonObject(value)) throw new Error("It must begin with { and end with }.")
  return value
}
