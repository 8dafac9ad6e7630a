/// The Secrets that a class names for its driver's calls (spec/provisioner.md, section 5). Start at
/// [SecretParameters].
///
/// Always: a reference travels as a name; it is read where the call is made
/// (`SecretParametersTest`). Never: a Secret's content (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.sidecar.secret;

import org.jspecify.annotations.NullMarked;
