/// The registrar on real sockets, with a node agent's client.
@NullMarked
package dev.berth.csi.registrar;

import org.jspecify.annotations.NullMarked;
