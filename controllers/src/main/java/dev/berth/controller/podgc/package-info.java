/// Removes the objects of pods that nobody else removes: their node is gone or said to be out of
/// service, they never had one, or there are too many that have ended (spec/control-plane.md,
/// PGC-01). Start at [PodGarbage].
///
/// Always: the server itself says that a node is gone before its pods go (`PodGarbageTest`). Never:
/// removes a pod that may run on a node that lives (`PodCollectorTest`).
@NullMarked
package dev.berth.controller.podgc;

import org.jspecify.annotations.NullMarked;
