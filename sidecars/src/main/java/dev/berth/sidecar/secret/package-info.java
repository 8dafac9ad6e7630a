/// The Secrets that a class names for its driver's calls (spec/provisioner.md, section 5). Start at
/// [SecretParameters].
///
/// Always: a reference travels as a name and is read at the moment of the call. Never: a Secret's
/// content in a cache, a record, a log or an error.
@NullMarked
package dev.berth.sidecar.secret;

import org.jspecify.annotations.NullMarked;
