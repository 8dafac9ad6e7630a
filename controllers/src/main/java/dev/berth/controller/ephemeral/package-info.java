/// Makes the claims that pods want for themselves alone (spec/control-plane.md, section 12). Start
/// at [EphemeralVolumes].
///
/// Always: a claim names its pod as owner and goes with it (EPH-01, `EphemeralVolumesTest`). Never:
/// adopts or changes a claim that is there (EPH-02, `ClaimMakerTest`).
@NullMarked
package dev.berth.controller.ephemeral;

import org.jspecify.annotations.NullMarked;
