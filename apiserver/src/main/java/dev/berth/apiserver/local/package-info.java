/// The API server as a client in the same process sees it: no socket, no JSON text, the same
/// semantics. Start at [LocalApi].
///
/// Always: what controllers write is judged by policies and webhooks, if they have a say
/// (`LocalApiTest`).
@NullMarked
package dev.berth.apiserver.local;

import org.jspecify.annotations.NullMarked;
