/// What the driver was asked for, as it stands in the claim: whoever asks again asks for the same.
/// Start at [Intent].
@NullMarked
package dev.berth.sidecar.provisioner.intent;

import org.jspecify.annotations.NullMarked;
