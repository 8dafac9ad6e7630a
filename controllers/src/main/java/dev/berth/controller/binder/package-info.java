/// Brings claims and volumes together, and parts them (spec/control-plane.md, sections 3 to 5).
/// Start at [Binder].
///
/// Two loops share the objects so that they never write the same one at the same time: a volume
/// that a living claim holds or is getting belongs to the claims' loop ([ClaimDecision]), any other
/// to the volumes' ([VolumeDecision]).
///
/// Always: a volume names its claim before the claim names its volume (`ClaimDecisionTest`,
/// BIND-30); a claim is looked up at the server itself before its volume is released
/// (`BinderEffectsTest`, BIND-40). Never: deletes a volume or a claim (`AbsencesArchitectureTest`);
/// writes anything on a volume that a CSI driver is to delete but its phase.
///
/// Deliberately absent: in-tree provisioning and deletion, recycling (RECL-03 ends in `Failed`),
/// and the finalizer `kubernetes.io/pv-controller` with them (FIN-03).
@NullMarked
package dev.berth.controller.binder;

import org.jspecify.annotations.NullMarked;
