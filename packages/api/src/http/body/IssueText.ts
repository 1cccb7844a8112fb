import { Option, type ParseResult, SchemaAST } from "effect"
import { addField, type Fields, noFields } from "./Fields.js"

const kinds: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  StringKeyword: "must be text",
  NumberKeyword: "must be a number",
  BooleanKeyword: "must be true or false",
  TupleType: "must be a list",
  TypeLiteral: "must be an object",
  Declaration: "must be of another form",
  UndefinedKeyword: "must be left out"
}

const plain = { Missing: "is required", Unexpected: "is not a known field", Forbidden: "is not allowed" }

const literals = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Literal" ? [String(ast.literal)] : ast._tag === "Union" ? ast.types.flatMap(literals) : []

const wanted = (ast: SchemaAST.AST): string => {
  const choices = literals(ast)
  if (choices.length > 0) return `must be ${choices.length > 1 ? "one of " : ""}${choices.join(", ")}`
  if (ast._tag === "Refinement" || ast._tag === "Transformation") return wanted(ast.from)
  if (ast._tag === "Union") {
    const [first] = ast.types.filter((type) => type._tag !== "UndefinedKeyword")
    return first === undefined ? "is not allowed" : wanted(first)
  }
  return kinds[ast._tag] ?? "is not valid"
}

/** The sentence that a rule of ours carries with itself. */
const annotated = (issue: ParseResult.Type): string | undefined => {
  const message = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  return typeof message === "string" ? message : undefined
}

const isSentence = (issue: ParseResult.ParseIssue): boolean =>
  issue._tag === "Type" && /^(?:must|is) /.test(issue.message ?? "")

const refused = (ast: SchemaAST.AST, actual: unknown): string => {
  const description = SchemaAST.getDescriptionAnnotation(ast)
  return typeof actual === "string" && ast._tag === "Transformation" && Option.isSome(description)
    ? `must be ${description.value}`
    : wanted(ast)
}

const innermost = (ast: SchemaAST.AST): SchemaAST.AST => (ast._tag === "Refinement" ? innermost(ast.from) : ast)

const isGroup = (
  issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>
): issues is readonly [ParseResult.ParseIssue, ...Array<ParseResult.ParseIssue>] => Array.isArray(issues)

const each = (issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>) => (isGroup(issues) ? issues : [issues])

/**
 * Turns what a schema finds wrong into sentences for people, every failure of every field. A rule over several fields
 * is also asked when one of its fields is wrong by itself, so that a caller learns everything at once.
 */
export const describeIssue = (issue: ParseResult.ParseIssue): Fields => {
  const fields = noFields()
  const add = (path: ReadonlyArray<PropertyKey>, sentence: string) => addField(fields, path, sentence)

  const visitAll = (issues: ReadonlyArray<ParseResult.ParseIssue>, path: ReadonlyArray<PropertyKey>): void => {
    for (const member of issues) visit(member, path)
  }

  const visit = (current: ParseResult.ParseIssue, path: ReadonlyArray<PropertyKey>): void => {
    if (current._tag === "Pointer") {
      visit(current.issue, [...path, ...(Array.isArray(current.path) ? current.path : [current.path])])
    } else if (current._tag === "Composite") {
      // Of a choice between forms, the members that got further than the first look say most.
      const all = each(current.issues)
      const told = current.ast._tag === "Union" ? all.filter(({ _tag }) => _tag !== "Type") : all
      if (told.length === 0) add(path, wanted(current.ast))
      visitAll(told, path)
    } else if (current._tag === "Refinement") {
      visit(current.issue, path)
      if (current.kind === "From") visitRule(current.ast, current.actual, path)
    } else if (current._tag === "Transformation") {
      const own = SchemaAST.getDescriptionAnnotation(current.ast)
      // What a library says of its own transformation is not for people; ours says what it wants.
      if (current.kind === "Transformation" && !isSentence(current.issue) && Option.isSome(own)) {
        add(path, `must be ${own.value}`)
      } else visit(current.issue, path)
    } else if (current._tag === "Type") {
      add(path, current.message ?? annotated(current) ?? refused(current.ast, current.actual))
    } else {
      add(path, plain[current._tag])
    }
  }

  const visitRule = (ast: SchemaAST.Refinement, actual: unknown, path: ReadonlyArray<PropertyKey>) => {
    // A rule about members has nothing to say of what has none.
    const aboutList = innermost(ast)._tag === "TupleType"
    if (typeof actual !== "object" || actual === null || Array.isArray(actual) !== aboutList) return
    try {
      const found = ast.filter(actual, {}, ast)
      if (found._tag === "None") return
      const before = new Set(Object.keys(fields))
      const rule = describeIssue(found.value)
      for (const [key, sentences] of Object.entries(rule)) {
        const full = [...path, ...(key === "" ? [] : [key])]
        if (!before.has(full.map(String).join("."))) for (const sentence of sentences) add(full, sentence)
      }
    } catch {
      // The value is too far from what the rule expects: its own fields have said so.
    }
  }

  visit(issue, [])
  return fields
}
