/// Keeps claims that pods use, and volumes that claims hold, from being deleted under them
/// (spec/control-plane.md, section 10). Start at [Protection].
///
/// Always: the server itself is asked for users before a finalizer goes (`ProtectionTest`,
/// PROT-03). Never: takes off a finalizer that is not `kubernetes.io/pvc-protection` or
/// `kubernetes.io/pv-protection` (PROT-08).
@NullMarked
package dev.berth.controller.protection;

import org.jspecify.annotations.NullMarked;
