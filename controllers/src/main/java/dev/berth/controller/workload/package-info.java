/// What the controllers that keep pods have in common: the kinds themselves ([Workload]), their
/// pods and revisions, and how objects are made, changed and deleted for them. Start at
/// [WorkloadEffect].
///
/// Never: takes an object that another controller owns (`StatefulSetsTest`).
@NullMarked
package dev.berth.controller.workload;

import org.jspecify.annotations.NullMarked;
