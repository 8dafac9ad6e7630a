/// What stands around every driver: from a CSI message to a call of an author's method and back.
///
/// Always, in this order (ERR-04): is the capability there, are the required fields there, are they
/// well formed, is the object free, does it exist, is it done already, is its state right; only
/// then the driver acts (`AbilitiesTest`, `NodeValidationTest`, `InFlightTest`). Every answer
/// leaves through [Reply] (`ReplyTest`).
///
/// Never: queues a call behind another on the same object (it is ABORTED at once); stops a driver's
/// method half way because the caller has gone (CON-04, `InFlightTest`).
@NullMarked
package dev.berth.driver.serve;

import org.jspecify.annotations.NullMarked;
