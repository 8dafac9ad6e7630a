package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.ATTACHMENT;
import static dev.berth.apiserver.core.Samples.CLAIM;
import static dev.berth.apiserver.core.Samples.VOLUME;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.ATTACHMENTS;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.CSI_DRIVERS;
import static dev.berth.kube.object.Resources.EVENTS;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static dev.berth.kube.object.Resources.NODES;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.SECRETS;
import static dev.berth.kube.object.Resources.VOLUMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.object.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CreationTest {
  static final List<CoreRule> rules =
      List.of(
          rule("API-42", "the server names what only it knows")
              .when(world -> world.create(VOLUMES, VOLUME))
              .shows(
                  """
                  kind: PersistentVolume
                  apiVersion: v1
                  metadata:
                    name: pv-1
                    resourceVersion: "11"
                    creationTimestamp: "2026-03-01T12:00:00Z"
                    generation: null
                    namespace: null
                  """),
          rule("API-42", "what a client claims to know is dropped")
              .when(world ->
                  world.create(
                      CONFIG_MAPS,
                      """
                      metadata:
                        namespace: default
                        name: a
                        uid: mine
                        selfLink: /mine
                        generation: 7
                        creationTimestamp: "2001-01-01T00:00:00Z"
                        deletionTimestamp: "2001-01-01T00:00:00Z"
                        managedFields: []
                      """))
              .then(answer -> {
                var meta = CoreRule.object(answer).path("metadata");
                assertThat(meta.path("uid").asText()).hasSize(36);
                assertThat(meta.path("creationTimestamp").asText()).startsWith("2026");
                assertThat(meta.has("selfLink")).isFalse();
                assertThat(meta.has("generation")).isFalse();
                assertThat(meta.path("managedFields").isEmpty()).isTrue();
                assertThat(meta.has("deletionTimestamp")).isFalse();
              }),
          rule("API-42", "a new object has no resourceVersion yet")
              .when(world ->
                  world.create(
                      VOLUMES, vary(VOLUME, "name: pv-1}", "name: a, resourceVersion: '7'}")))
              .refused(
                  400, "BadRequest", "resourceVersion should not be set on objects to be created"),
          rule("API-23", "what is only tried is of no version")
              .when(world -> {
                var map = World.yaml("{metadata: {namespace: default, name: a}}");
                return world.ask(
                    new Request.DryRun(new Request.Create(CONFIG_MAPS, "default", map)));
              })
              .shows("metadata: {name: a, resourceVersion: null}"),
          rule("API-42", "a body of another kind is refused")
              .when(world -> world.create(PODS, "{kind: Node, metadata: {namespace: default}}"))
              .refused(400, "BadRequest", "Node in version \"v1\" cannot be handled as a Pod"),
          rule("API-42", "a body of another version is refused")
              .when(world -> world.create(NODES, "{apiVersion: v2, metadata: {name: a}}"))
              .refused(
                  400,
                  "BadRequest",
                  "the API version in the data (v2) does not match the expected API version (v1)"),
          rule("API-28", "a name is taken once")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world -> world.create(VOLUMES, VOLUME))
              .refused(409, "AlreadyExists", "persistentvolumes \"pv-1\" already exists"),
          rule("API-28", "a name is taken until its holder is gone")
              .given(world -> {
                world.with(VOLUMES, VOLUME).delete(VOLUMES, "pv-1");
                return world;
              })
              .when(world -> world.create(VOLUMES, VOLUME))
              .refused(
                  409,
                  "AlreadyExists",
                  "object is being deleted: persistentvolumes \"pv-1\" already exists"),
          rule("API-28", "resources of a group are named with it")
              .given(world -> world.with(ATTACHMENTS, ATTACHMENT))
              .when(world -> world.create(ATTACHMENTS, ATTACHMENT))
              .refused(
                  409, "AlreadyExists", "volumeattachments.storage.k8s.io \"va-1\" already exists"),
          rule("API-44", "a name is generated in upstream's alphabet")
              .when(world ->
                  world.create(EVENTS, "{metadata: {namespace: default, generateName: csisc-}}"))
              .then(answer ->
                  assertThat(CoreRule.object(answer).path("metadata").path("name").asText())
                      .matches("csisc-[bcdfghjklmnpqrstvwxz2456789]{5}")),
          rule("API-44", "a long base is cut to 58 characters")
              .when(world ->
                  world.create(
                      CONFIG_MAPS,
                      "{metadata: {namespace: default, generateName: %s}}"
                          .formatted("a".repeat(80))))
              .then(answer ->
                  assertThat(CoreRule.object(answer).path("metadata").path("name").asText())
                      .hasSize(63)),
          rule("API-47", "an object has a name")
              .when(world -> world.create(CONFIG_MAPS, "{metadata: {namespace: default}}"))
              .invalid("metadata.name: Required value: name or generateName is required"),
          rule("API-47", "a name is a DNS subdomain")
              .when(world -> world.create(VOLUMES, vary(VOLUME, "pv-1}", "PV_1}")))
              .invalid("PersistentVolume \"PV_1\" is invalid: metadata.name: Invalid value:"),
          rule("API-47", "labels and finalizers are well formed")
              .when(world ->
                  world.create(
                      CONFIG_MAPS,
                      """
                      metadata:
                        namespace: default
                        name: a
                        labels: {"a b": c, d: "e f"}
                        finalizers: [mine, kubernetes, berth.dev/hold]
                      """))
              .invalid(
                  "metadata.labels: Invalid value: \"a b\"",
                  "metadata.labels: Invalid value: \"e f\"",
                  "metadata.finalizers[0]: Invalid value: \"mine\": name is neither a standard"
                      + " finalizer name nor is it fully qualified"),
          rule("API-47", "metadata of the wrong shape is no object at all")
              .when(world ->
                  world.create(
                      CONFIG_MAPS, "{metadata: {namespace: default, name: a, labels: [b]}}"))
              .refused(
                  400,
                  "BadRequest",
                  "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: metadata.labels"
                      + " has the wrong type"),
          rule("API-89", "a namespace that is missing is named")
              .when(world -> world.create(CLAIMS, vary(CLAIM, "default", "nowhere")))
              .refused(404, "NotFound", "namespaces \"nowhere\" not found"),
          rule("API-89", "a namespace that is going takes nothing new")
              .given(world -> {
                world.with(NAMESPACES, "{metadata: {name: going}}");
                world.with(
                    CONFIG_MAPS,
                    "{metadata: {namespace: going, name: a, finalizers: [berth.dev/hold]}}");
                world.delete(NAMESPACES, "going");
                return world;
              })
              .when(world -> world.create(CLAIMS, vary(CLAIM, "default", "going")))
              .refused(
                  403,
                  "Forbidden",
                  "persistentvolumeclaims \"data\" is forbidden: unable to create new content in"
                      + " namespace going because it is being terminated"),
          rule("API-89", "a namespace bears its name as a label")
              .when(world -> world.create(NAMESPACES, "{metadata: {name: mine}}"))
              .shows(
                  """
                  metadata: {labels: {kubernetes.io/metadata.name: mine}}
                  spec: {finalizers: [kubernetes]}
                  status: {phase: Active}
                  """),
          rule("API-46", "a creator's status is dropped")
              .when(world -> world.create(CLAIMS, CLAIM + "status: {phase: Bound}"))
              .shows("status: {phase: Pending, capacity: null}"),
          rule("API-46", "a kubelet's status of its node is taken")
              .when(world ->
                  world.create(
                      NODES, "{metadata: {name: a}, status: {capacity: {memory: 1024Mi}}}"))
              .shows("status: {capacity: {memory: 1Gi}}"),
          rule("API-96", "a new volume is pending since now")
              .when(world -> world.create(VOLUMES, VOLUME))
              .shows(
                  """
                  status: {phase: Pending, lastPhaseTransitionTime: "2026-03-01T12:00:00Z"}
                  """),
          rule("API-101", "a new attachment is not attached")
              .when(world -> world.create(ATTACHMENTS, ATTACHMENT + "status: {attached: true}"))
              .shows("status: {attached: false}"),
          rule("API-45", "a pod's generation begins at 1")
              .when(world -> world.create(PODS, Samples.POD))
              .shows("metadata: {generation: 1}"),
          rule("API-45", "a driver's generation begins with its first change")
              .when(world -> world.create(CSI_DRIVERS, Samples.DRIVER))
              .shows("metadata: {generation: null}"),
          rule("API-106", "quantities are canonical")
              .when(world -> world.create(CLAIMS, vary(CLAIM, "1Gi", "1536Mi")))
              .shows("spec: {resources: {requests: {storage: 1536Mi}}}"),
          rule("API-106", "a number is a quantity")
              .when(world -> world.create(CLAIMS, vary(CLAIM, "1Gi", "1000")))
              .shows("spec: {resources: {requests: {storage: 1k}}}"),
          rule("API-106", "what is no quantity is refused")
              .when(world -> world.create(CLAIMS, vary(CLAIM, "1Gi", "much")))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .startsWith(
                          "PersistentVolumeClaim in version \"v1\" cannot be handled as a"
                              + " PersistentVolumeClaim: \"much\" is no quantity")),
          rule("secrets", "plain text becomes data and is not kept")
              .when(world ->
                  world.create(
                      SECRETS,
                      "{metadata: {namespace: default, name: a}, stringData: {key: value}}"))
              .shows("{type: Opaque, data: {key: dmFsdWU=}, stringData: null}"),
          rule("secrets", "wrong data is refused without showing it")
              .when(world ->
                  world.create(
                      SECRETS,
                      "{metadata: {namespace: default, name: a}, data: {key: 'hunter 2'}}"))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .contains("data: Invalid value: \"key\": its value is not base64")
                      .doesNotContain("hunter")),
          rule("API-01", "a kind that is not served is not found")
              .when(world ->
                  world.create(
                      new Resource("apps", "v1beta1", "deployments", "Deployment", true),
                      "{metadata: {namespace: default, name: a}}"))
              .refused(404, "NotFound", "the server could not find the requested resource"));

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  @Test
  void aDryRunAnswersAndLeavesNothing() {
    var world = new World();
    var before = world.state();
    var write = new Request.Create(VOLUMES, "", World.yaml(VOLUME));
    assertThat(world.ask(new Request.DryRun(write))).isInstanceOf(Answer.Created.class);
    assertThat(world.state()).isSameAs(before);
  }

  @Test
  void whatAClientHandedInIsNotTouched() {
    var body = World.yaml(VOLUME);
    var copy = body.deepCopy();
    new World().ask(new Request.Create(VOLUMES, "", body));
    assertThat(body).isEqualTo(copy);
  }
}
