/// The API server as a client in the same process sees it: no socket, no JSON text, the same
/// semantics. Start at [LocalApi].
@NullMarked
package dev.berth.apiserver.local;

import org.jspecify.annotations.NullMarked;
