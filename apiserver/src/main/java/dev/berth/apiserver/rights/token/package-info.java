/// Tokens of service accounts (spec/apiserver.md, API-10): signed JSON that says whose it is, for
/// whom, until when, and which pod it dies with. Start at [Tokens].
///
/// Always: what a token is bound to is looked up each time it is used, so that a token of a deleted
/// pod or account is worth nothing (`TokensTest`). Never: a signature by another algorithm than
/// ours (`HostileTokensTest`).
@NullMarked
package dev.berth.apiserver.rights.token;

import org.jspecify.annotations.NullMarked;
