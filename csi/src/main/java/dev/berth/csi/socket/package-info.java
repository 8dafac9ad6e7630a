/// Unix sockets for gRPC, without native libraries (GRPC-04 to GRPC-10).
///
/// Always: a socket appears under its name with its mode already set, and one that is alive is
/// never taken from the process that serves it, unless that is asked for (`SocketServerTest`).
///
/// Never: a lock, pid or other file beside the socket (`SocketServerTest`). While it is being made
/// a socket stands for a moment under a name that begins with a dot, which the kubelet's plugin
/// watcher ignores.
@NullMarked
package dev.berth.csi.socket;

import org.jspecify.annotations.NullMarked;
