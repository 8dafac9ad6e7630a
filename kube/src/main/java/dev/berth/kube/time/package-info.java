/// What time it is, when to look again and how long to pause, for every room.
///
/// Always: who needs the clock, a thread or chance gets a [Time]; in a simulation all three come
/// from one seed (`SameHistoryTest`). Never: reads the machine's clock outside [SystemTime]
/// (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.kube.time;

import org.jspecify.annotations.NullMarked;
