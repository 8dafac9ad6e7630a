/// Gives the volumes of one driver the attributes that their claims ask for by a
/// VolumeAttributesClass (spec/resizer.md, section 5; KEP-3751). Start at [Modifier].
///
/// Always: the class that a volume is being given stands in its claim first; while the outcome of a
/// change is not known, no other is begun (`ModifierTest`). Never: a class of another driver is
/// handed on (`ModificationDecisionTest`).
@NullMarked
package dev.berth.sidecar.modifier;

import org.jspecify.annotations.NullMarked;
