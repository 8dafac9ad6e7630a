/// Runs the pods of Jobs until enough of them have succeeded, as kube-controller-manager's job
/// controller. Start at [Jobs].
///
/// Always: a pod is counted once. It is noted in the status before its finalizer goes, and goes
/// from the note into the count when that is seen; a pod that nobody counts any more loses it too
/// (`JobsTest`). Not done: `podFailurePolicy`, `successPolicy`, `backoffLimitPerIndex`; a Job that
/// asks for one is left alone, and that is told.
@NullMarked
package dev.berth.controller.job;

import org.jspecify.annotations.NullMarked;
