/// Who asks and what they may do: the words that authentication, authorisation and the audit log
/// share (spec/apiserver.md, API-09 to API-12). Start at [Authorizer].
///
/// The parts are packages of their own: `token`, `rbac`, `node`, `review`, `audit`, `fair`.
///
/// Always: a decision is pure, from one state of the objects (`TokensTest`). Never: a token or a
/// key in a message (`TokensTest`).
@NullMarked
package dev.berth.apiserver.rights;

import org.jspecify.annotations.NullMarked;
