/// What a driver's pod on a node does with the cluster's objects of that node: it makes way for
/// pods when the driver is there ([StartupTaint]), and stays until the last volume has gone
/// ([LastDetach]).
///
/// Here and not in the driver's own room, since it asks an API server: a driver that is served
/// without Kubernetes loads none of it. Never: anything that keeps the driver from serving.
@NullMarked
package dev.berth.sidecar.nodeplugin;

import org.jspecify.annotations.NullMarked;
