/// The API server over HTTPS: HTTP/1.1, HTTP/2 and WebSocket on one port (spec/apiserver.md,
/// sections 2 to 4, 7 and 13). Start at [HttpServer].
///
/// Always: a request is read, checked against its kind's fields and turned into a
/// `dev.berth.apiserver.core.Request` before anything is decided; a watch's head is sent before its
/// first event (`WatchOverHttpTest`); whoever has credentials gets in (`StrangersTest`). Never: a
/// request on a thread that serves connections (`BusyConnectionsTest`); a thread for each watch; an
/// error in the middle of a watch that is not one of its events.
///
/// Deliberately absent: protobuf (415 for bodies; JSON is answered to clients that also accept it),
/// `exec`, `attach` and `portforward`, OpenAPI v2.
@NullMarked
package dev.berth.apiserver.http;

import org.jspecify.annotations.NullMarked;
