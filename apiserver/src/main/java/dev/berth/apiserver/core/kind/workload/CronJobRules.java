package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.time.ZoneId;
import java.util.List;

/// CronJobs.
final class CronJobRules implements WorkloadRules {
  private static final int LONGEST_NAME = 52;

  @Override
  public List<String> quantities() {
    return PodTemplates.quantities("spec.jobTemplate.spec.template.spec");
  }

  @Override
  public void setDefaults(ObjectNode cron) {
    var spec = Trees.objectAt(cron, "spec");
    Trees.setDefault(spec, "concurrencyPolicy", "Allow");
    Trees.setDefault(spec, "suspend", false);
    Trees.setDefault(spec, "successfulJobsHistoryLimit", 3);
    Trees.setDefault(spec, "failedJobsHistoryLimit", 1);
    JobRules.setTemplateDefaults(spec);
  }

  @Override
  public void check(Field cron) {
    var name = cron.at("metadata").at("name");
    if (name.text().length() > LONGEST_NAME)
      name.invalid("must be no more than " + LONGEST_NAME + " characters");
    var spec = cron.at("spec");
    if (spec.at("schedule").demand()) checkSchedule(spec.at("schedule"));
    WorkloadRules.checkCounts(
        spec, "startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit");
    checkZone(spec.at("timeZone"));
    spec.at("concurrencyPolicy").demandOneOf("Allow", "Forbid", "Replace");
    var job = spec.at("jobTemplate").at("spec");
    WorkloadRules.checkCounts(
        job, "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit");
    if (job.at("manualSelector").node().asBoolean())
      job.at("manualSelector").notSupported("nil", "false");
    PodTemplates.check(job.at("template"), "Never", "OnFailure");
  }

  private static void checkSchedule(Field schedule) {
    if (schedule.text().contains("TZ"))
      schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    else Schedule.fault(schedule.text()).ifPresent(schedule::invalid);
  }

  private static void checkZone(Field zone) {
    if (!zone.isSet()) return;
    if (zone.isEmpty()) zone.invalid("timeZone must be nil or non-empty string");
    else if (zone.text().equalsIgnoreCase("Local"))
      zone.invalid(
          "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    else if (!ZoneId.getAvailableZoneIds().contains(zone.text()))
      zone.invalid("unknown time zone " + zone.text());
  }
}
