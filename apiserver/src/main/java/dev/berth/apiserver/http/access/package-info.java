/// Who asks over HTTPS and what they may do (spec/apiserver.md, API-09 to API-12): credentials of a
/// request, for whom it speaks, whether it is allowed, and what clients ask about that. Start at
/// [Access].
///
/// Always: whom we do not know sees the server's health and version and nothing else; a credential
/// that is not good is refused everywhere (`AccountTokensTest`). Never: a token in a log
/// (`AccountTokensTest`).
@NullMarked
package dev.berth.apiserver.http.access;

import org.jspecify.annotations.NullMarked;
