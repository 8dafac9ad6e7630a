package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.CRON_JOBS;
import static dev.berth.kube.object.Resources.DAEMON_SETS;
import static dev.berth.kube.object.Resources.DEPLOYMENTS;
import static dev.berth.kube.object.Resources.JOBS;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.REPLICA_SETS;
import static dev.berth.kube.object.Resources.REVISIONS;
import static dev.berth.kube.object.Resources.STATEFUL_SETS;
import static dev.berth.kube.object.StoredResources.AUTOSCALERS;
import static dev.berth.kube.object.StoredResources.DISRUPTION_BUDGETS;
import static dev.berth.kube.object.StoredResources.POD_TEMPLATES;
import static dev.berth.kube.object.StoredResources.REPLICATION_CONTROLLERS;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-01, API-03, API-45: what makes pods is kept as upstream keeps it; nothing runs it.
class WorkloadRulesTest {
  private static final String SET =
      """
      metadata: {name: web, namespace: default}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: host}]}
      """;
  private static final String JOB =
      """
      metadata: {name: once, namespace: default}
      spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: host}]}}}
      """;
  private static final String CRON =
      """
      metadata: {name: often, namespace: default}
      spec:
        schedule: '*/5 1-3 * jan,feb mon-fri'
        jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: host}]}}}}
      """;
  private static final String BUDGET =
      "{metadata: {name: b, namespace: default}, spec: {minAvailable: 50%, selector: {matchLabels:"
          + " {app: web}}}}";
  private static final String SCALER =
      "{metadata: {name: h, namespace: default}, spec: {maxReplicas: 3, behavior: {},"
          + " scaleTargetRef: {kind: Deployment, name: web}}}";
  private static final String OWNED_POD =
      """
      metadata:
        {name: p, namespace: default, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: once, uid: %s}]}
      spec: {containers: [{name: c, image: host}]}
      """;

  static final List<CoreRule> rules =
      List.of(
          rule("API-01", "a deployment rolls by a quarter")
              .when(world -> world.create(DEPLOYMENTS, SET))
              .shows(
                  "{metadata: {generation: 1}, status: {}, spec: {replicas: 1,"
                      + " revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {type:"
                      + " RollingUpdate, rollingUpdate: {maxUnavailable: 25%, maxSurge: 25%}},"
                      + " template: {spec: {restartPolicy: Always, dnsPolicy: ClusterFirst,"
                      + " enableServiceLinks: null}}}}"),
          rule("API-01", "a template does not request what it limits: its pods do")
              .when(world ->
                  world.create(
                      DEPLOYMENTS,
                      vary(SET, "image: host}", "image: host, resources: {limits: {cpu: '0.5'}}}")))
              .shows(
                  "{spec: {template: {spec: {containers: [{name: c, image: host, resources:"
                      + " {limits: {cpu: 500m}}, terminationMessagePath: /dev/termination-log,"
                      + " terminationMessagePolicy: File, imagePullPolicy: Always}]}}}}"),
          rule("API-45", "a deployment's generation counts its specifications")
              .given(world -> world.with(DEPLOYMENTS, SET))
              .when(world -> world.merge(DEPLOYMENTS, "default/web", "{spec: {replicas: 3}}"))
              .shows("{metadata: {generation: 2}, spec: {replicas: 3}}"),
          rule("API-46", "a deployment's status does not count, and its specification stays")
              .given(world -> world.with(DEPLOYMENTS, SET))
              .when(world ->
                  world.mergeStatus(
                      DEPLOYMENTS, "default/web", "{spec: {replicas: 9}, status: {replicas: 1}}"))
              .shows("{metadata: {generation: 1}, spec: {replicas: 1}, status: {replicas: 1}}"),
          rule("API-01", "a selector does not change")
              .given(world -> world.with(DEPLOYMENTS, SET))
              .when(world ->
                  world.merge(
                      DEPLOYMENTS,
                      "default/web",
                      "{spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a:"
                          + " b}}}}}"))
              .invalid("spec.selector: Invalid value"),
          rule("API-01", "the template has the labels that are selected")
              .when(world ->
                  world.create(DEPLOYMENTS, vary(SET, "matchLabels: {app", "matchLabels: {a")))
              .invalid(
                  "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does"
                      + " not match template `labels`"),
          rule("API-01", "an empty selector selects too much")
              .when(
                  world -> world.create(DEPLOYMENTS, vary(SET, "{matchLabels: {app: web}}", "{}")))
              .invalid("empty selector is invalid for deployment"),
          rule("API-01", "what is said of the selector is said first")
              .when(world ->
                  world.create(
                      STATEFUL_SETS,
                      vary(
                          SET,
                          "{matchLabels: {app: web}}",
                          "{matchExpressions: [{key: a, operator: Is}]}")))
              .invalid("not a valid selector operator"),
          rule("API-01", "recreating does not roll")
              .when(world ->
                  world.create(
                      DEPLOYMENTS,
                      vary(
                          SET,
                          "  selector:",
                          "  strategy: {type: Recreate, rollingUpdate: {}}\n  selector:")))
              .invalid("may not be specified when strategy `type` is 'Recreate'"),
          rule("API-01", "someone must go or come")
              .when(world ->
                  world.create(
                      DEPLOYMENTS,
                      vary(
                          SET,
                          "  selector:",
                          "  strategy: {rollingUpdate: {maxSurge: 0%, maxUnavailable: 0}}\n"
                              + "  selector:")))
              .invalid("may not be 0 when `maxSurge` is 0"),
          rule("API-01", "a part is of a hundred")
              .when(world ->
                  world.create(
                      DEPLOYMENTS,
                      vary(
                          SET,
                          "  selector:",
                          "  strategy: {rollingUpdate: {maxSurge: half, maxUnavailable: 101%}}\n"
                              + "  selector:")))
              .invalid(
                  "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"101%\": must not be"
                      + " greater than 100%",
                  "a valid percent string must be"),
          rule("API-01", "no fewer than none, and a deployment's pods run for ever")
              .when(world ->
                  world.create(
                      DEPLOYMENTS,
                      vary(
                          vary(SET, "  selector:", "  replicas: -1\n  selector:"),
                          "spec: {containers",
                          "spec: {restartPolicy: Never, containers")))
              .invalid(
                  "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
                  "spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported"
                      + " values: \"Always\""),
          rule("API-01", "there are containers in a template")
              .when(world ->
                  world.create(REPLICA_SETS, vary(SET, "containers: [{name: c, image: host}]", "")))
              .invalid("spec.template.spec.containers: Required value"),
          rule("API-01", "a replica set begins with none")
              .when(world -> world.create(REPLICA_SETS, SET))
              .shows("{spec: {replicas: 1}, status: {replicas: 0}}"),
          rule("API-01", "no more of a set are ready than there are")
              .given(world -> world.with(REPLICA_SETS, SET))
              .when(world ->
                  world.mergeStatus(REPLICA_SETS, "default/web", "{status: {readyReplicas: 1}}"))
              .invalid("status.readyReplicas: Invalid value: 1: cannot be greater than"),
          rule("API-01", "a stateful set's claims are whole")
              .when(world ->
                  world.create(
                      STATEFUL_SETS,
                      vary(
                          vary(
                              SET,
                              "image: host}",
                              "image: host, volumeMounts: [{name: data, mountPath: /d}]}"),
                          "  selector:",
                          "  volumeClaimTemplates: [{metadata: {name: data}, spec:"
                              + " {accessModes: [ReadWriteOnce], resources: {requests: {storage:"
                              + " 1024Mi}}}}]\n  selector:")))
              .shows(
                  "{spec: {podManagementPolicy: OrderedReady, updateStrategy: {type: RollingUpdate,"
                      + " rollingUpdate: {partition: 0}}, persistentVolumeClaimRetentionPolicy:"
                      + " {whenDeleted: Retain, whenScaled: Retain}, volumeClaimTemplates:"
                      + " [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources:"
                      + " {requests: {storage: 1Gi}}, volumeMode: Filesystem}, apiVersion: v1,"
                      + " kind: PersistentVolumeClaim, status: {phase: Pending}}]}, status:"
                      + " {replicas: 0, availableReplicas: 0}}"),
          rule("API-01", "a stateful set keeps its service and its order")
              .given(world -> world.with(STATEFUL_SETS, SET))
              .when(world ->
                  world.merge(
                      STATEFUL_SETS,
                      "default/web",
                      "{spec: {serviceName: x, podManagementPolicy: Parallel, replicas: 2}}"))
              .invalid(
                  "spec.serviceName: Invalid value", "spec.podManagementPolicy: Invalid value"),
          rule("API-01", "a daemon set counts its templates")
              .given(world -> world.with(DAEMON_SETS, SET))
              .when(world ->
                  world.merge(
                      DAEMON_SETS,
                      "default/web",
                      "{metadata: {annotations: null}, spec: {template: {metadata: {labels: {b:"
                          + " c}}}}}"))
              .shows(
                  "{metadata: {generation: 2, annotations:"
                      + " {deprecated.daemonset.template.generation: '2'}}, spec: {updateStrategy:"
                      + " {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}},"
                      + " status: {numberReady: 0}}"),
          rule("API-01", "a daemon set's pods go or come, not both")
              .when(world ->
                  world.create(
                      DAEMON_SETS,
                      vary(
                          SET,
                          "  selector:",
                          "  updateStrategy: {rollingUpdate: {maxSurge: 1}}\n  selector:")))
              .invalid("may not be set when maxUnavailable is non-zero"),
          rule("API-01", "a replication controller selects by its template's labels")
              .when(world ->
                  world.create(
                      REPLICATION_CONTROLLERS,
                      vary(SET, "selector: {matchLabels: {app: web}}", "minReadySeconds: 0")))
              .shows("{metadata: {labels: {app: web}}, spec: {replicas: 1, selector: {app: web}}}"),
          rule("API-01", "a replication controller's labels are those of its template")
              .when(world ->
                  world.create(
                      REPLICATION_CONTROLLERS,
                      vary(SET, "selector: {matchLabels: {app: web}}", "selector: {app: db}")))
              .invalid("`selector` does not match template `labels`"),
          rule("API-01", "a revision has data, which stays")
              .given(world ->
                  world.with(
                      REVISIONS,
                      "{metadata: {name: r, namespace: default}, revision: 1, data: {a: b}}"))
              .when(world -> world.merge(REVISIONS, "default/r", "{revision: -2, data: {a: c}}"))
              .invalid("data: Invalid value", "revision: Invalid value: -2"),
          rule("API-01", "a template of pods stands alone")
              .when(world ->
                  world.create(
                      POD_TEMPLATES,
                      "{metadata: {name: t, namespace: default}, template: {spec: {containers:"
                          + " [{name: c, image: host}]}}}"))
              .shows("{metadata: {generation: 1}, template: {spec: {restartPolicy: Always}}}"),
          rule("API-03", "a job finds its pods by its uid")
              .when(world -> world.create(JOBS, JOB))
              .then(answer -> {
                var job = CoreRule.object(answer);
                var uid = job.at("/metadata/uid").asText();
                var labels = job.at("/spec/template/metadata/labels");
                var selected = job.at("/spec/selector/matchLabels");
                if (!labels.path("batch.kubernetes.io/controller-uid").asText().equals(uid)
                    || !labels.path("job-name").asText().equals("once")
                    || !selected.path("batch.kubernetes.io/controller-uid").asText().equals(uid)
                    || job.at("/spec/backoffLimit").asInt() != 6
                    || !job.at("/spec/completionMode").asText().equals("NonIndexed"))
                  throw new AssertionError(job.toPrettyString());
              }),
          rule("API-03", "a job's pods end")
              .when(world -> world.create(JOBS, vary(JOB, "restartPolicy: Never, ", "")))
              .invalid(
                  "spec.template.spec.restartPolicy: Unsupported value: \"Always\": supported"
                      + " values: \"Never\", \"OnFailure\""),
          rule("API-03", "a job keeps its template once it has begun")
              .given(world -> world.with(JOBS, JOB))
              .when(world ->
                  world.merge(
                      JOBS,
                      "default/once",
                      "{spec: {completions: 5, parallelism: 2, template: {spec: {hostNetwork:"
                          + " true}}}}"))
              .invalid("spec.completions: Invalid value", "spec.template: Invalid value"),
          rule("API-03", "an indexed job says how many")
              .when(world ->
                  world.create(
                      JOBS,
                      vary(
                          JOB,
                          "spec: {template",
                          "spec: {completionMode: Indexed, parallelism: 1, template")))
              .invalid("spec.completions: Required value: when completion mode is Indexed"),
          rule("API-88", "a job's pods stay unless its deletion says otherwise")
              .given(world -> {
                world.with(JOBS, JOB);
                var uid = world.get(JOBS, "default/once").at("/metadata/uid").asText();
                world.with(PODS, OWNED_POD.formatted(uid));
                world.delete(JOBS, "default/once");
                return world;
              })
              .when(world -> {
                if (world.find(JOBS, "default/once").isPresent())
                  throw new AssertionError("the job is still there");
                return world.merge(PODS, "default/p", "{}");
              })
              .shows("{metadata: {name: p, ownerReferences: null}}"),
          rule("API-03", "a cron job keeps three that went well and one that did not")
              .when(world -> world.create(CRON_JOBS, CRON))
              .shows(
                  "{spec: {concurrencyPolicy: Allow, suspend: false, successfulJobsHistoryLimit: 3,"
                      + " failedJobsHistoryLimit: 1, jobTemplate: {spec: {template: {spec:"
                      + " {dnsPolicy: ClusterFirst}}}}}}"),
          rule("API-03", "a schedule has five fields that can be")
              .when(world -> world.create(CRON_JOBS, vary(CRON, "*/5 1-3 *", "60 1-3 *")))
              .invalid("spec.schedule: Invalid value"),
          rule("API-03", "a schedule of four fields is none")
              .when(world -> world.create(CRON_JOBS, vary(CRON, "*/5 1-3 *", "1-3 *")))
              .invalid("expected exactly 5 fields, found 4"),
          rule("API-03", "a time zone is said in its field, and there is one of that name")
              .when(world ->
                  world.create(
                      CRON_JOBS,
                      vary(
                          vary(CRON, "'*/5 1-3 * jan,feb mon-fri'", "'TZ=UTC 1 1 1 1 1'"),
                          "  jobTemplate",
                          "  timeZone: Mars/Olympus\n  jobTemplate")))
              .invalid(
                  "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
                  "unknown time zone Mars/Olympus"),
          rule("API-03", "a cron job leaves room for its jobs' names")
              .when(world -> world.create(CRON_JOBS, vary(CRON, "often", "o".repeat(53))))
              .invalid("metadata.name: Invalid value"),
          rule("API-03", "a cron job may be due by a word")
              .when(world ->
                  world.create(CRON_JOBS, vary(CRON, "*/5 1-3 * jan,feb mon-fri", "@every 1h30m")))
              .shows("{spec: {schedule: '@every 1h30m'}}"),
          rule("API-03", "a budget begins with nothing to spend")
              .when(world -> world.create(DISRUPTION_BUDGETS, BUDGET))
              .shows(
                  "{metadata: {generation: 1}, status: {disruptionsAllowed: 0, currentHealthy: 0,"
                      + " desiredHealthy: 0, expectedPods: 0}}"),
          rule("API-03", "a budget is one of two")
              .when(world ->
                  world.create(DISRUPTION_BUDGETS, vary(BUDGET, "50%", "50%, maxUnavailable: -1")))
              .invalid(
                  "minAvailable and maxUnavailable cannot be both set",
                  "spec.maxUnavailable: Invalid value: -1"),
          rule("API-70", "a budget's PUT says of which version it is")
              .given(world -> world.with(DISRUPTION_BUDGETS, BUDGET))
              .when(world -> world.update(DISRUPTION_BUDGETS, BUDGET))
              .invalid("metadata.resourceVersion: Invalid value: 0"),
          rule("API-03", "an autoscaler aims at four fifths of the processor")
              .when(world -> world.create(AUTOSCALERS, SCALER))
              .shows(
                  "{spec: {minReplicas: 1, metrics: [{type: Resource, resource: {name: cpu, target:"
                      + " {type: Utilization, averageUtilization: 80}}}], behavior: {scaleUp:"
                      + " {stabilizationWindowSeconds: 0, selectPolicy: Max}}}}"),
          rule("API-03", "an autoscaler's most is not below its least")
              .when(world ->
                  world.create(
                      AUTOSCALERS,
                      vary(SCALER, "maxReplicas: 3", "minReplicas: 2, maxReplicas: 1")))
              .invalid("must be greater than or equal to `minReplicas`"),
          rule("API-86", "a deployment goes without being shown")
              .given(world -> world.with(DEPLOYMENTS, SET))
              .when(world -> world.delete(DEPLOYMENTS, "default/web"))
              .shows("{kind: Status, details: {group: apps, kind: deployments}}"));

  @ParameterizedTest
  @FieldSource("rules")
  void holds(CoreRule rule) {
    rule.check();
  }
}
