/// The names that Kubernetes and CSI define and whoever meets in objects has to spell alike:
/// annotations, labels, finalizers, reasons of events, Leases.
///
/// Never: one of them written in two places.
@NullMarked
package dev.berth.kube.name;

import org.jspecify.annotations.NullMarked;
