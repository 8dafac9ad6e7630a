/// Makes a volume for each claim that asks for one of our driver (spec/provisioner.md). Start at
/// [Provisioner].
///
/// Always: before the driver hears of a volume, the claim carries an [Intent] and our finalizer,
/// and both stay until the PersistentVolume is saved or the driver has refused for good; so a claim
/// that is deleted meanwhile, or a crash, leaks nothing (PROV-191; `CrashTest`). Never: a call for
/// a claim that is being deleted and was not begun, or a second request for one name that differs
/// from the first while the first has no known outcome (`ProvisionDecisionTest`,
/// `ProvisionerTest`); an intent is believed that somebody else may have written
/// (`ForgedIntentsTest`).
///
/// Absent: in-tree migration.
@NullMarked
package dev.berth.sidecar.provisioner;

import dev.berth.sidecar.provisioner.intent.Intent;
import org.jspecify.annotations.NullMarked;
