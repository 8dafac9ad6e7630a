/// Unix sockets for gRPC, without native libraries (GRPC-04 to GRPC-10).
@NullMarked
package dev.berth.csi.socket;

import org.jspecify.annotations.NullMarked;
