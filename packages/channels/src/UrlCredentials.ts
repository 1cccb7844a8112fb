const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    // A password may hold a percent sign that nobody escaped.
    return part
  }
}

/** The user and password that a URL carries, as the server behind it wants them. */
export const urlCredentials = ({ password, username }: URL): { readonly user: string; readonly pass: string } => ({
  user: decoded(username),
  pass: decoded(password)
})
