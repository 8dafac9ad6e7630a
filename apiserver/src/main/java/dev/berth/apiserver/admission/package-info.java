/// Asks who else has a say in a write: ValidatingAdmissionPolicies and webhooks (API-03, API-115).
/// Start at [Admittance].
///
/// A dry run shows what a write would make; that is asked about, and then only that is written: the
/// writer takes it if the object is still the one that was seen, and otherwise all begins anew.
///
/// Always: on the thread of who asks, each call with a deadline, so that who waits is nobody else
/// (`WebhooksTest`). Never: by the writer; about the configuration of webhooks and policies itself
/// (`WebhooksTest`).
///
/// Deliberately absent: mutating policies, `authorizer` in expressions, and writes of nodes in this
/// process, which say how things are.
@NullMarked
package dev.berth.apiserver.admission;

import org.jspecify.annotations.NullMarked;
