/// Keeps claims that pods use, volumes that claims hold, and VolumeAttributesClasses that either
/// names from being deleted under them (spec/control-plane.md, sections 10 and 14). Start at
/// [Protection].
///
/// Always: the server itself is asked for users before a finalizer goes (`ProtectionTest`,
/// PROT-03). Never: takes off a finalizer that is not `kubernetes.io/pvc-protection`,
/// `kubernetes.io/pv-protection` or `kubernetes.io/vac-protection` (PROT-08,
/// `ProtectionDecisionTest`).
@NullMarked
package dev.berth.controller.protection;

import org.jspecify.annotations.NullMarked;
