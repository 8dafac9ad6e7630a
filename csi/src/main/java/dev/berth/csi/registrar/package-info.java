/// Shows a driver to the node agent (spec/health-registrar-liveness.md, section 6). Start at
/// [Registrar].
///
/// Always: the registration socket is there as long as the registrar is started, for its owner
/// only; a refused registration is tried again (`RegistrarTest`). Never: a socket left behind by a
/// stop, or one removed that another process serves (`SocketServerTest`).
@NullMarked
package dev.berth.csi.registrar;

import org.jspecify.annotations.NullMarked;
