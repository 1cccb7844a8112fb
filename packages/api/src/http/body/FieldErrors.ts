import { Option, type ParseResult, SchemaAST } from "effect"

/** Whether PostgreSQL can store a text: it cannot store NUL and lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** The error of a text that cannot be stored. */
export const unstorableText = "must not contain NUL or lone surrogates"

/** Errors of a body: sentences by dotted path. */
export type FieldErrors = Record<string, Array<string>>

/** An empty map of errors, without a prototype: field names of callers can be `constructor`. */
export const noFieldErrors = (): FieldErrors => Object.create(null)

/** The name of a field in a path. A name that cannot be stored is replaced by `?`. */
const shown = (name: PropertyKey): string => (isStorable(String(name)) ? String(name) : "?")

/** Adds a sentence to a field. A repeated sentence is ignored. */
export const addFieldError = (fields: FieldErrors, path: ReadonlyArray<PropertyKey>, sentence: string): void => {
  const key = path.map(shown).join(".")
  const known = fields[key]
  if (known === undefined) fields[key] = [sentence]
  else if (!known.includes(sentence)) known.push(sentence)
}

/** Merges two maps of errors. */
export const joinFieldErrors = (left: FieldErrors, right: FieldErrors): FieldErrors => {
  const all = noFieldErrors()
  for (const [key, sentences] of [...Object.entries(left), ...Object.entries(right)]) {
    for (const sentence of sentences) addFieldError(all, [key], sentence)
  }
  return all
}

const kinds: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  StringKeyword: "must be text",
  NumberKeyword: "must be a number",
  BooleanKeyword: "must be true or false",
  TupleType: "must be a list",
  TypeLiteral: "must be an object",
  Declaration: "must be of another form",
  UndefinedKeyword: "must be left out"
}

const standardSentences = { Missing: "is required", Unexpected: "is not a known field", Forbidden: "is not allowed" }

const literals = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Literal" ? [String(ast.literal)] : ast._tag === "Union" ? ast.types.flatMap(literals) : []

const isNull = (ast: SchemaAST.AST) => SchemaAST.isLiteral(ast) && ast.literal === null

const expectation = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isUnion(ast)) {
    const types = ast.types.filter((type) => type._tag !== "UndefinedKeyword")
    const [first] = types.filter((type) => literals(type).length === 0)
    if (first !== undefined) return `${expectation(first)}${types.some(isNull) ? " or null" : ""}`
  }
  const choices = literals(ast)
  if (choices.length > 0) return `must be ${choices.length > 1 ? "one of " : ""}${choices.join(", ")}`
  if (ast._tag === "Refinement" || ast._tag === "Transformation") return expectation(ast.from)
  return ast._tag === "Union" ? "is not allowed" : (kinds[ast._tag] ?? "is not valid")
}

/** The sentence of the message annotation of a schema. */
const annotatedSentence = (issue: ParseResult.Type): string | undefined => {
  const message = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  return typeof message === "string" ? message : undefined
}

const isSentence = (issue: ParseResult.ParseIssue): boolean =>
  issue._tag === "Type" && /^(?:must|is) /.test(issue.message ?? "")

const mismatch = (ast: SchemaAST.AST, actual: unknown): string => {
  const description = SchemaAST.getDescriptionAnnotation(ast)
  return typeof actual === "string" && ast._tag === "Transformation" && Option.isSome(description)
    ? `must be ${description.value}`
    : expectation(ast)
}

const innermost = (ast: SchemaAST.AST): SchemaAST.AST => (ast._tag === "Refinement" ? innermost(ast.from) : ast)

const isUnionOfObjects = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) && ast.types.every((type) => SchemaAST.isTypeLiteral(innermost(type)))

/** Whether a value is not of the type that a schema reads, below its filters and transformations. */
const isOtherType = (issue: ParseResult.ParseIssue): boolean =>
  issue._tag === "Type" ||
  (((issue._tag === "Refinement" && issue.kind === "From") ||
    (issue._tag === "Transformation" && issue.kind === "Encoded")) &&
    isOtherType(issue.issue))

const isGroup = (
  issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>
): issues is readonly [ParseResult.ParseIssue, ...Array<ParseResult.ParseIssue>] => Array.isArray(issues)

const each = (issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>) => (isGroup(issues) ? issues : [issues])

/**
 * Turns the issue of a schema into sentences by field. A filter over several fields is also run if one of its fields is
 * invalid, so that one response has all errors.
 */
export const describeIssue = (issue: ParseResult.ParseIssue): FieldErrors => {
  const fields = noFieldErrors()
  const add = (path: ReadonlyArray<PropertyKey>, sentence: string) => addFieldError(fields, path, sentence)

  const visitAll = (issues: ReadonlyArray<ParseResult.ParseIssue>, path: ReadonlyArray<PropertyKey>): void => {
    for (const member of issues) visit(member, path)
  }

  const visit = (current: ParseResult.ParseIssue, path: ReadonlyArray<PropertyKey>): void => {
    if (current._tag === "Pointer") {
      visit(current.issue, [...path, ...(Array.isArray(current.path) ? current.path : [current.path])])
    } else if (current._tag === "Composite") {
      // For a union, only members that failed below their type are reported: they are closest to the value.
      const all = each(current.issues)
      // A union of objects reads the literals of a list, too, to choose its member.
      if (Array.isArray(current.actual) && isUnionOfObjects(current.ast)) {
        add(path, expectation(current.ast))
        return
      }
      const reported = current.ast._tag === "Union" ? all.filter((issue) => !isOtherType(issue)) : all
      if (reported.length === 0) add(path, expectation(current.ast))
      visitAll(reported, path)
    } else if (current._tag === "Refinement") {
      visit(current.issue, path)
      if (current.kind === "From") visitRule(current.ast, current.actual, path)
    } else if (current._tag === "Transformation") {
      const description = SchemaAST.getDescriptionAnnotation(current.ast)
      // The text of a library transformation is not a sentence. Its description annotation replaces it.
      if (current.kind === "Transformation" && !isSentence(current.issue) && Option.isSome(description)) {
        add(path, `must be ${description.value}`)
      } else visit(current.issue, path)
    } else if (current._tag === "Type") {
      add(path, current.message ?? annotatedSentence(current) ?? mismatch(current.ast, current.actual))
    } else {
      add(path, standardSentences[current._tag])
    }
  }

  const visitRule = (ast: SchemaAST.Refinement, actual: unknown, path: ReadonlyArray<PropertyKey>) => {
    // A filter of a list does not apply to an object, nor the other way around, nor one of a decoded value to either.
    const kind = Array.isArray(actual) ? "TupleType" : "TypeLiteral"
    if (typeof actual !== "object" || actual === null || innermost(ast)._tag !== kind) return
    try {
      const found = ast.filter(actual, {}, ast)
      if (found._tag === "None") return
      for (const [key, sentences] of Object.entries(describeIssue(found.value))) {
        const full = [...path, ...(key === "" ? [] : [key])]
        if (!(full.map(String).join(".") in fields)) for (const sentence of sentences) add(full, sentence)
      }
    } catch {
      // The filter does not support such a value. The errors of its fields are already reported.
    }
  }

  visit(issue, [])
  return fields
}
