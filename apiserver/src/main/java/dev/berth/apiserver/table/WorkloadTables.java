package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.number;
import static dev.berth.apiserver.table.Column.text;
import static dev.berth.apiserver.table.Column.timed;
import static dev.berth.apiserver.table.Column.truth;
import static java.util.Map.entry;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// What makes pods, and what says how many of them may go.
final class WorkloadTables {
  private static final String TEMPLATE = "/spec/template";
  private static final String SELECTOR = "/spec/selector";

  /// The first of these conditions that holds is a job's state.
  private static final List<String> JOB_STATES =
      List.of(
          "Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet");

  private static final Layout DEPLOYMENT =
      Layout.of(
          Cells.name(),
          ready(),
          count("Up-to-date", "Pods of the latest template", "/status/updatedReplicas").asText(),
          count("Available", "Pods that have been ready for a while", "/status/availableReplicas")
              .asText(),
          age(),
          containers(TEMPLATE),
          images(TEMPLATE),
          selector(SELECTOR));

  private static final Layout REPLICAS =
      Layout.of(
          Cells.name(),
          count("Desired", "Pods that there shall be", "/spec/replicas"),
          count("Current", "Pods that there are", "/status/replicas"),
          count("Ready", "Pods that are ready", "/status/readyReplicas"),
          age(),
          containers(TEMPLATE),
          images(TEMPLATE),
          selector(SELECTOR));

  private static final Layout STATEFUL_SET =
      Layout.of(Cells.name(), ready(), age(), containers(TEMPLATE), images(TEMPLATE));

  private static final Layout DAEMON_SET =
      Layout.of(
          Cells.name(),
          count("Desired", "Nodes that shall have a pod", "/status/desiredNumberScheduled"),
          count("Current", "Nodes that have a pod", "/status/currentNumberScheduled"),
          count("Ready", "Nodes whose pod is ready", "/status/numberReady"),
          count(
              "Up-to-date",
              "Nodes whose pod is of the latest template",
              "/status/updatedNumberScheduled"),
          count(
              "Available", "Nodes whose pod has been ready for a while", "/status/numberAvailable"),
          text(
              "Node Selector",
              "Labels of the nodes that shall have one",
              set -> Cells.labels(set.at("/spec/template/spec/nodeSelector"))),
          age(),
          containers(TEMPLATE),
          images(TEMPLATE),
          selector(SELECTOR));

  private static final Layout JOB =
      Layout.of(
          Cells.name(),
          text("Status", "How far it is", WorkloadTables::jobState),
          text("Completions", "Pods that have succeeded, of how many", WorkloadTables::completions),
          timed("Duration", "How long it took or has been at it", WorkloadTables::duration),
          age(),
          containers(TEMPLATE),
          images(TEMPLATE),
          selector(SELECTOR));

  private static final Layout CRON_JOB =
      Layout.of(
          Cells.name(),
          text("Schedule", "When it is due", Cells.at("/spec/schedule")),
          text("Timezone", "Where that time is", Cells.at("/spec/timeZone", Cells.NONE)),
          truth("Suspend", "Whether it rests", cron -> cron.at("/spec/suspend").asBoolean()),
          number("Active", "Jobs that run", cron -> cron.at("/status/active").size()),
          timed(
              "Last Schedule",
              "Time since it was due",
              (cron, now) ->
                  cron.path("status").has("lastScheduleTime")
                      ? Age.since(cron.path("status"), "lastScheduleTime", now)
                      : Cells.NONE),
          age(),
          containers("/spec/jobTemplate/spec/template"),
          images("/spec/jobTemplate/spec/template"),
          selector("/spec/jobTemplate/spec/selector"));

  private static final Layout BUDGET =
      Layout.of(
          Cells.name(),
          text("Min Available", "How many stay at least", Cells.at("/spec/minAvailable", "N/A")),
          text("Max Unavailable", "How many go at most", Cells.at("/spec/maxUnavailable", "N/A")),
          count("Allowed Disruptions", "How many may go now", "/status/disruptionsAllowed"),
          age());

  private static final Layout POD_TEMPLATE =
      Layout.of(
          Cells.name(),
          text("Containers", "Names of its containers", of -> names(of.at("/template"))),
          text("Images", "Images of its containers", of -> imagesOf(of.at("/template"))),
          text(
              "Pod Labels",
              "Labels of its pods",
              of -> Cells.labels(of.at("/template/metadata/labels"))));

  private static final Layout REVISION =
      Layout.of(
          Cells.name(),
          text("Controller", "Whose state it is", WorkloadTables::controller),
          number("Revision", "Which state it is", of -> of.path("revision").asInt()).asText(),
          age());

  private static final Layout AUTOSCALER =
      Layout.of(
          Cells.name(),
          text(
              "Reference",
              "What it scales",
              of ->
                  of.at("/spec/scaleTargetRef/kind").asText()
                      + "/"
                      + of.at("/spec/scaleTargetRef/name").asText()),
          text("Targets", "What it aims at, and what is", Targets::of),
          text("MinPods", "Fewest pods", Cells.at("/spec/minReplicas", Cells.UNSET)),
          count("MaxPods", "Most pods", "/spec/maxReplicas").asText(),
          count("Replicas", "Pods that there are", "/status/currentReplicas").asText(),
          age());

  static final Map<Resource, Layout> ALL =
      Map.ofEntries(
          entry(Resources.DEPLOYMENTS, DEPLOYMENT),
          entry(Resources.REPLICA_SETS, REPLICAS),
          entry(StoredResources.REPLICATION_CONTROLLERS, REPLICAS),
          entry(Resources.STATEFUL_SETS, STATEFUL_SET),
          entry(Resources.DAEMON_SETS, DAEMON_SET),
          entry(Resources.JOBS, JOB),
          entry(Resources.CRON_JOBS, CRON_JOB),
          entry(StoredResources.DISRUPTION_BUDGETS, BUDGET),
          entry(StoredResources.POD_TEMPLATES, POD_TEMPLATE),
          entry(Resources.REVISIONS, REVISION),
          entry(StoredResources.AUTOSCALERS, AUTOSCALER));

  private WorkloadTables() {}

  private static Column count(String name, String description, String path) {
    var pointer = JsonPointer.compile(path);
    ToIntFunction<JsonNode> cell = object -> object.at(pointer).asInt();
    return number(name, description, cell);
  }

  private static Column ready() {
    return text(
        "Ready",
        "Pods that are ready, of how many",
        set -> set.at("/status/readyReplicas").asInt() + "/" + set.at("/spec/replicas").asInt());
  }

  private static Column containers(String template) {
    return text("Containers", "Names of the pods' containers", of -> names(of.at(template))).wide();
  }

  private static Column images(String template) {
    return text("Images", "Images of the pods' containers", of -> imagesOf(of.at(template))).wide();
  }

  private static Column selector(String path) {
    return text("Selector", "How it finds its pods", of -> Cells.selector(of.at(path))).wide();
  }

  private static String names(JsonNode template) {
    return join(template, "name");
  }

  private static String imagesOf(JsonNode template) {
    return join(template, "image");
  }

  private static String join(JsonNode template, String field) {
    return String.join(
        ",", Json.list(template.at("/spec/containers"), each -> Json.text(each, field)));
  }

  private static String jobState(JsonNode job) {
    for (var state : JOB_STATES) {
      if (state.equals("Terminating") ? Cells.deleting(job) : holds(job, state)) return state;
    }
    return "Running";
  }

  private static boolean holds(JsonNode job, String condition) {
    for (var each : job.at("/status/conditions"))
      if (Json.text(each, "type").equals(condition))
        return Json.text(each, "status").equals("True");
    return false;
  }

  private static String completions(JsonNode job) {
    int succeeded = job.at("/status/succeeded").asInt();
    var wanted = job.at("/spec/completions");
    if (wanted.isNumber()) return succeeded + "/" + wanted.asInt();
    int parallel = job.at("/spec/parallelism").asInt();
    return succeeded + "/1" + (parallel > 1 ? " of " + parallel : "");
  }

  private static String duration(JsonNode job, Instant now) {
    Optional<Instant> from = Age.moment(job.path("status"), "startTime");
    var to = Age.moment(job.path("status"), "completionTime").orElse(now);
    return from.map(start -> Age.text(Duration.between(start, to))).orElse("");
  }

  /// `statefulset.apps/web`.
  private static String controller(JsonNode revision) {
    for (var owner : revision.at("/metadata/ownerReferences"))
      if (owner.path("controller").asBoolean()) return owner(owner);
    return Cells.NONE;
  }

  private static String owner(JsonNode owner) {
    var version = Json.text(owner, "apiVersion");
    int slash = version.indexOf('/');
    var group = slash < 0 ? "" : "." + version.substring(0, slash);
    var kind = Json.text(owner, "kind").toLowerCase(java.util.Locale.ROOT);
    return kind + group + "/" + Json.text(owner, "name");
  }
}
