/// Watches over chunked HTTP and WebSocket (spec/apiserver.md, section 7). Start at [Watches].
///
/// Always: a watch's head is sent before its first event (`WatchOverHttpTest`). Never: an error in
/// the middle of a watch that is not one of its events (`WatchOverHttpTest`).
@NullMarked
package dev.berth.apiserver.http.watch;

import org.jspecify.annotations.NullMarked;
