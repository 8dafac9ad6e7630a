/// `berth controllers`: what kube-controller-manager and kube-scheduler do for storage, as a
/// process of its own against any API server (spec/control-plane.md, section 15). Start at
/// [ControllersProcess].
///
/// Never: needs Berth's own API server or node agent (`interop/controllers`); writes anything
/// without its Lease (`ControllersProcessTest`).
@NullMarked
package dev.berth.cli.controllers;

import org.jspecify.annotations.NullMarked;
