/// The API server over HTTPS: HTTP/1.1, HTTP/2 and WebSocket on one port (spec/apiserver.md,
/// sections 2 to 4, 7 and 13). Start at [HttpServer].
///
/// Always: a request is read, checked against its kind's fields and turned into a
/// `dev.berth.apiserver.core.message.Request` before anything is decided; whoever has credentials
/// gets in (`StrangersTest`). Never: a request on a thread that serves connections
/// (`BusyConnectionsTest`).
///
/// Deliberately absent: protobuf (415 for bodies; JSON is answered to clients that also accept it),
/// `exec`, `attach` and `portforward`.
@NullMarked
package dev.berth.apiserver.http;

import org.jspecify.annotations.NullMarked;
