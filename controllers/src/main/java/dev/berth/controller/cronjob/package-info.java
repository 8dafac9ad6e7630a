/// Makes Jobs at their times, for CronJobs (docs/workloads.md). Start at [CronJobs].
///
/// Always: of one time one Job, whose name follows from the time (`CronDecisionTest`), so that
/// whoever is killed makes none twice. Never: makes a Job for more than the last of the times that
/// were missed (`CronDecisionTest`).
@NullMarked
package dev.berth.controller.cronjob;

import org.jspecify.annotations.NullMarked;
