/// The Container Storage Interface: its words, its client, its sockets (spec/csi.md).
///
/// A caller starts at [dev.berth.csi.client.CsiConnection], a server at [dev.berth.csi.socket]. The
/// messages are generated from `csi.proto` into `dev.berth.csi.v1`.
///
/// Never: what a driver does with a call. That is `dev.berth.driver` (`RoomsArchitectureTest`).
@NullMarked
package dev.berth.csi;

import org.jspecify.annotations.NullMarked;
