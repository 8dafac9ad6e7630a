package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.POD;
import static dev.berth.kube.object.Resources.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PodRulesTest {
  static final List<CoreRule> rules =
      List.of(
          rule("API-105", "a pod's defaults")
              .when(world ->
                  world.create(
                      PODS,
                      """
                      metadata: {namespace: default, name: web}
                      spec:
                        automountServiceAccountToken: false
                        containers:
                        - name: app
                          image: registry.example/app
                          resources: {limits: {cpu: "0.5"}}
                        volumes:
                        - {name: scratch}
                        - {name: token, projected: {sources: [{serviceAccountToken: {path: t}}]}}
                      """))
              .shows(
                  """
                  spec:
                    restartPolicy: Always
                    terminationGracePeriodSeconds: 30
                    schedulerName: default-scheduler
                    containers:
                    - name: app
                      image: registry.example/app
                      resources: {limits: {cpu: 500m}, requests: {cpu: 500m}}
                      terminationMessagePath: /dev/termination-log
                      terminationMessagePolicy: File
                      imagePullPolicy: Always
                    volumes:
                    - {name: scratch, emptyDir: {}}
                    - name: token
                      projected:
                        sources: [{serviceAccountToken: {path: t, expirationSeconds: 3600}}]
                        defaultMode: 420
                  status: {phase: Pending, qosClass: Burstable}
                  """),
          rule("API-105", "a pod has containers")
              .when(world -> world.create(PODS, "{metadata: {namespace: default, name: web}}"))
              .invalid("spec.containers: Required value"),
          wrong(
              "a probe does something",
              "readinessProbe: {}",
              "readinessProbe: Required value: must specify a handler type"),
          wrong(
              "a probe does one thing",
              "readinessProbe: {exec: {command: [\"true\"]}, tcpSocket: {port: 1}}",
              "readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"),
          wrong(
              "a probe asks a port that there may be",
              "livenessProbe: {tcpSocket: {port: 99999}}",
              "livenessProbe.tcpSocket.port: Invalid value: 99999: must be between 1 and 65535,"
                  + " inclusive"),
          wrong(
              "a probe has a period",
              "startupProbe: {periodSeconds: -1, exec: {command: [\"true\"]}}",
              "startupProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0"),
          wrong(
              "who lives has not to prove it twice",
              "livenessProbe: {successThreshold: 2, exec: {command: [\"true\"]}}",
              "livenessProbe.successThreshold: Invalid value: 2: must be 1"),
          wrong(
              "a hook does something",
              "lifecycle: {preStop: {}}",
              "lifecycle.preStop: Required value: must specify a handler type"),
          wrong(
              "a hook sleeps within the grace",
              "lifecycle: {preStop: {sleep: {seconds: 100}}}",
              "lifecycle.preStop.sleep: Invalid value: 100: must be non-negative and less than"
                  + " terminationGracePeriodSeconds (30)"),
          wrong(
              "a port is one that there may be",
              "ports: [{containerPort: 99999}]",
              "ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535,"
                  + " inclusive"),
          wrong(
              "a pull policy is one of three",
              "imagePullPolicy: Maybe",
              "imagePullPolicy: Unsupported value: \"Maybe\": supported values: \"Always\","
                  + " \"IfNotPresent\", \"Never\""),
          rule("API-105", "a mount is of a volume that is there")
              .when(
                  world -> world.create(PODS, pod("volumeMounts: [{name: a, mountPath: /a}]", "")))
              .invalid("spec.containers[0].volumeMounts[0].name: Not found: \"a\""),
          rule("API-105", "no two mounts stand in one place")
              .when(world ->
                  world.create(
                      PODS,
                      pod(
                          "volumeMounts: [{name: a, mountPath: /a}, {name: a, mountPath: /a}]",
                          "{name: a}")))
              .invalid(
                  "spec.containers[0].volumeMounts[1].mountPath: Invalid value: \"/a\": must be"
                      + " unique"),
          rule("API-105", "no path leaves the volume")
              .when(world ->
                  world.create(
                      PODS,
                      pod(
                          "volumeMounts: [{name: a, mountPath: /a, subPath: b/../../c}]",
                          "{name: a}")))
              .invalid(
                  "spec.containers[0].volumeMounts[0].subPath: Invalid value: \"b/../../c\": must"
                      + " not contain '..'"),
          refused(
              "no mount's place has a colon",
              pod("volumeMounts: [{name: a, mountPath: '/a:b'}]", "{name: a}"),
              "spec.containers[0].volumeMounts[0].mountPath: Invalid value: \"/a:b\": must not"
                  + " contain ':'"),
          refused(
              "users and groups have numbers that the kernel does not read as none",
              pod("securityContext: {runAsUser: -1, runAsGroup: 4294967295}", ""),
              "spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0"
                  + " and 2147483647, inclusive",
              "spec.containers[0].securityContext.runAsGroup: Invalid value: 4294967295: must be"
                  + " between 0 and 2147483647, inclusive"),
          refused(
              "only who may do everything mounts on the node",
              pod(
                  "volumeMounts: [{name: a, mountPath: /a, mountPropagation: Bidirectional}]",
                  "{name: a}"),
              "spec.containers[0].volumeMounts[0].mountPropagation: Forbidden: Bidirectional mount"
                  + " propagation is available only to privileged containers"),
          refused(
              "a propagation is one of three",
              pod("volumeMounts: [{name: a, mountPath: /a, mountPropagation: Both}]", "{name: a}"),
              "spec.containers[0].volumeMounts[0].mountPropagation: Unsupported value: \"Both\":"
                  + " supported values: \"Bidirectional\", \"HostToContainer\", \"None\""),
          rule("API-105", "who may do everything may mount on the node")
              .when(world ->
                  world.create(
                      PODS,
                      pod(
                          "securityContext: {privileged: true}\n"
                              + "    volumeMounts: [{name: a, mountPath: /a, mountPropagation:"
                              + " Bidirectional}]",
                          "{name: a}")))
              .shows("{metadata: {name: web}}"),
          refused(
              "a Secret's files stay in their volume",
              pod("", "{name: a, secret: {secretName: s, items: [{key: k, path: ../x}]}}"),
              "spec.volumes[0].secret.items[0].path: Invalid value: \"../x\": must not contain"
                  + " '..'"),
          refused(
              "a ConfigMap's files have no absolute place",
              pod("", "{name: a, configMap: {name: s, items: [{key: k, path: /abs}]}}"),
              "spec.volumes[0].configMap.items[0].path: Invalid value: \"/abs\": must be a relative"
                  + " path"),
          refused(
              "what begins with two dots is the node's own",
              pod("", "{name: a, configMap: {name: s, items: [{key: k, path: ..data}]}}"),
              "spec.volumes[0].configMap.items[0].path: Invalid value: \"..data\": must not start"
                  + " with '..'"),
          refused(
              "an item has a key and a path, and a mode that is one",
              pod("", "{name: a, secret: {secretName: s, items: [{mode: 512}]}}"),
              "spec.volumes[0].secret.items[0].key: Required value",
              "spec.volumes[0].secret.items[0].path: Required value",
              "spec.volumes[0].secret.items[0].mode: Invalid value: 512: must be a number between 0"
                  + " and 0777 (octal), both inclusive"),
          refused(
              "the pod's own fields stay in their volume, and are fields",
              pod("", "{name: a, downwardAPI: {items: [{path: a/../../b}]}}"),
              "spec.volumes[0].downwardAPI.items[0].path: Invalid value: \"a/../../b\": must not"
                  + " contain '..'",
              "spec.volumes[0].downwardAPI.items[0]: Required value: one of fieldRef and"
                  + " resourceFieldRef is required"),
          refused(
              "all that is projected stays in its volume",
              pod(
                  "",
                  "{name: a, projected: {sources: [{secret: {name: s, items: [{key: k, path:"
                      + " ../x}]}}, {configMap: {name: s, items: [{key: k, path: /y}]}},"
                      + " {serviceAccountToken: {path: ../z, expirationSeconds: 1}}]}}"),
              "spec.volumes[0].projected.sources[0].secret.items[0].path: Invalid value: \"../x\":",
              "spec.volumes[0].projected.sources[1].configMap.items[0].path: Invalid value:"
                  + " \"/y\":",
              "spec.volumes[0].projected.sources[2].serviceAccountToken.path: Invalid value:"
                  + " \"../z\":",
              "spec.volumes[0].projected.sources[2].serviceAccountToken.expirationSeconds: Invalid"
                  + " value: 1: may not specify a duration less than 10 minutes"),
          rule("API-105", "a device is a claim's")
              .when(world ->
                  world.create(
                      PODS, pod("volumeDevices: [{name: a, devicePath: /dev/a}]", "{name: a}")))
              .invalid(
                  "can only use volume source type of PersistentVolumeClaim or Ephemeral for block"
                      + " mode"),
          rule("API-105", "a volume has one source")
              .when(world ->
                  world.create(PODS, pod("", "{name: a, emptyDir: {}, hostPath: {path: /tmp}}")))
              .invalid(
                  "spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"),
          rule("API-105", "nobody borrows the claim of an ephemeral volume")
              .when(world ->
                  world.create(
                      PODS,
                      pod(
                          "",
                          """
                          {name: own, ephemeral: {volumeClaimTemplate: {spec: {accessModes:
                           [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}},
                           {name: b, persistentVolumeClaim: {claimName: web-own}}\
                          """)))
              .invalid(
                  "spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: \"web-own\":"
                      + " must not reference a PVC that gets created for an ephemeral volume"),
          rule("API-105", "what is wrong in a template is told where it stands")
              .when(world ->
                  world.create(
                      PODS,
                      pod(
                          "",
                          """
                          {name: own, ephemeral: {volumeClaimTemplate: {metadata: {name: mine,
                           creationTimestamp: null, labels: {a: b}}, spec: {accessModes:
                           [ReadWriteOnce]}}}}\
                          """)))
              .invalid(
                  "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot"
                      + " be set for an ephemeral volume",
                  "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required"
                      + " value"),
          rule("API-105", "a pod's image may change")
              .given(world -> world.with(PODS, POD))
              .when(
                  world -> world.merge(PODS, "default/web", "{spec: {activeDeadlineSeconds: 60}}"))
              .shows("{metadata: {generation: 2}, spec: {activeDeadlineSeconds: 60}}"),
          rule("API-105", "its node may not")
              .given(world -> world.with(PODS, POD))
              .when(world -> world.merge(PODS, "default/web", "{spec: {nodeName: node-a}}"))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .startsWith(
                          "Pod \"web\" is invalid: spec: Forbidden: pod updates may not change"
                              + " fields other than")
                      .endsWith("+ nodeName: \"node-a\"\n")),
          rule("API-105", "nor what its containers run, and only that is told")
              .given(world -> world.with(PODS, POD))
              .when(world ->
                  world.merge(
                      PODS,
                      "default/web",
                      "{spec: {containers: [{name: app, image: host, command: [sleep, '1']}]}}"))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message().lines().skip(1))
                      .containsExactly("+ containers[0].command: [\"sleep\",\"1\"]")),
          rule("API-105", "a pod behind a gate may be sent to fewer nodes")
              .given(PodRulesTest::gated)
              .when(world ->
                  world.merge(PODS, "default/web", "spec: {nodeSelector: {zone: a, disk: fast}}"))
              .shows("spec: {nodeSelector: {zone: a, disk: fast}}"),
          rule("API-105", "not to others")
              .given(PodRulesTest::gated)
              .when(world -> world.merge(PODS, "default/web", "spec: {nodeSelector: {zone: b}}"))
              .invalid("spec: Forbidden: pod updates may not change fields other than"),
          rule("API-105", "containers are not added before a pod runs")
              .when(world ->
                  world.create(
                      PODS,
                      """
                      metadata: {namespace: default, name: web}
                      spec: {containers: [{name: a, image: i}], ephemeralContainers: [{name: b, image: i}]}
                      """))
              .invalid("spec.ephemeralContainers: Forbidden: cannot be set on create"),
          rule("API-105", "a pod may tolerate more, and no less")
              .given(world -> world.with(PODS, POD))
              .when(world ->
                  world.merge(PODS, "default/web", "{spec: {tolerations: [{operator: Exists}]}}"))
              .invalid("spec: Forbidden: pod updates may not change fields other than"),
          rule("API-105", "a pod may tolerate everything beside what it has")
              .given(world -> world.with(PODS, POD))
              .when(world -> {
                var more = world.get(PODS, "default/web").deepCopy();
                more.withObject("spec")
                    .withArray("tolerations")
                    .addObject()
                    .put("operator", "Exists");
                return world.update(PODS, more.toString());
              })
              .shows(
                  "spec: {tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists,"
                      + " effect: NoExecute, tolerationSeconds: 300}, {key:"
                      + " node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute,"
                      + " tolerationSeconds: 300}, {operator: Exists}]}"),
          rule("API-118", "a binding puts a pod on its node")
              .given(world -> world.with(PODS, POD))
              .when(world -> {
                var answer = bind(world, "node-a");
                assertThat(world.get(PODS, "default/web").path("spec").path("nodeName"))
                    .hasToString("\"node-a\"");
                assertThat(world.get(PODS, "default/web").path("status").path("conditions"))
                    .hasToString(
                        "[{\"type\":\"PodScheduled\",\"status\":\"True\","
                            + "\"lastTransitionTime\":\"2026-03-01T12:00:00Z\"}]");
                return answer;
              })
              .shows("{kind: Status, status: Success, code: 201}"),
          rule("API-118", "a pod is bound once")
              .given(world -> {
                bind(world.with(PODS, POD), "node-a");
                return world;
              })
              .when(world -> bind(world, "node-b"))
              .refused(
                  409,
                  "Conflict",
                  "Operation cannot be fulfilled on pods/binding \"web\": pod web is already"
                      + " assigned to node \"node-a\""),
          rule("API-118", "a pod that is missing is not bound")
              .when(world -> bind(world, "node-a"))
              .refused(404, "NotFound", "pods \"web\" not found"),
          rule("API-118", "an eviction deletes")
              .given(world -> world.with(PODS, POD))
              .when(world -> {
                var answer =
                    world.ask(
                        new Request.Post(
                            PODS,
                            ObjectKey.of("default", "web"),
                            "eviction",
                            World.yaml("{metadata: {name: web}}")));
                assertThat(world.find(PODS, "default/web")).isEmpty();
                return answer;
              })
              .shows("{kind: Status, status: Success}"));

  private static CoreRule refused(String sentence, String pod, String... errors) {
    return rule("API-105", sentence).when(world -> world.create(PODS, pod)).invalid(errors);
  }

  /// A container's field is refused; upstream says the same (`interop/api-differential`).
  private static World gated(World world) {
    return world.with(
        PODS,
        """
        metadata: {namespace: default, name: web}
        spec: {schedulingGates: [{name: example.com/wait}], nodeSelector: {zone: a}, containers: [{name: a, image: i}]}
        """);
  }

  private static CoreRule wrong(String sentence, String field, String error) {
    return rule("API-105", sentence)
        .when(world -> world.create(PODS, pod(field, "")))
        .invalid("spec.containers[0]." + error);
  }

  private static String pod(String container, String volumes) {
    return """
    metadata: {namespace: default, name: web}
    spec:
      containers:
      - name: app
        image: host
        %s
      volumes: [%s]
    """
        .formatted(container, volumes);
  }

  private static Answer bind(World world, String node) {
    return world.ask(
        new Request.Post(
            PODS,
            ObjectKey.of("default", "web"),
            "binding",
            World.yaml("{target: {kind: Node, name: %s}}".formatted(node))));
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }
}
