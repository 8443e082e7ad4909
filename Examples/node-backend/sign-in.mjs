// REPLACE THIS FILE. It stands for your own sign-in, and lets in every caller who sends one of the two words below.
//
// Yours finds the user of a session as your other endpoints do. What it must give, for each user:
// - `id`: your own id of the user, at most 91 visible ASCII characters, which never becomes another user's;
// - `appAccountToken`: a random UUID, made once (`crypto.randomUUID()`) and kept with the user. It is in every purchase of the user.
const users = new Map([
  ['demo-session', { id: 'u-123', appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138' }],
  ['other-session', { id: 'u-456', appAccountToken: '1f0c9c1e-9a4e-4c7a-8a35-6a4c8a1b2d3f' }],
])

if (process.env.NODE_ENV === 'production') throw new Error('sign-in.mjs is the example: replace it by your own sign-in')

/** The user of a request's session as {id, appAccountToken}; undefined without a session. */
export async function signedInUser(request) {
  return users.get(request.headers.authorization?.replace(/^Bearer /, ''))
}
