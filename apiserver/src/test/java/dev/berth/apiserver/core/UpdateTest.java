package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.ATTACHMENT;
import static dev.berth.apiserver.core.Samples.CLAIM;
import static dev.berth.apiserver.core.Samples.DRIVER;
import static dev.berth.apiserver.core.Samples.POD;
import static dev.berth.apiserver.core.Samples.VOLUME;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.ATTACHMENTS;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.CSI_DRIVERS;
import static dev.berth.kube.object.Resources.LEASES;
import static dev.berth.kube.object.Resources.NODES;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.STORAGE_CLASSES;
import static dev.berth.kube.object.Resources.VOLUMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class UpdateTest {
  private static final String MAP = "{metadata: {namespace: default, name: map}, data: {a: b}}";
  private static final String LEASE =
      "{metadata: {namespace: default, name: lock}, spec: {holderIdentity: me}}";
  private static final String STALE =
      "the object has been modified; please apply your changes to the latest version and try again";

  static final List<CoreRule> rules =
      List.of(
          rule("API-70", "an update without version wins")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world -> world.update(CONFIG_MAPS, vary(MAP, "a: b", "a: c")))
              .shows("data: {a: c}"),
          rule("API-70", "an update of an old version is refused")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world ->
                  world.update(
                      CONFIG_MAPS, vary(MAP, "name: map", "name: map, resourceVersion: '1'")))
              .refused(
                  409, "Conflict", "Operation cannot be fulfilled on configmaps \"map\": " + STALE),
          rule("API-70", "some kinds are not updated without a version")
              .given(world -> world.with(ATTACHMENTS, ATTACHMENT))
              .when(world -> world.update(ATTACHMENTS, ATTACHMENT))
              .refused(
                  422,
                  "Invalid",
                  "volumeattachments.storage.k8s.io \"va-1\" is invalid: metadata.resourceVersion:"
                      + " Invalid value: 0: must be specified for an update"),
          rule("API-70", "what is missing is not updated")
              .when(world -> world.update(CONFIG_MAPS, MAP))
              .refused(404, "NotFound", "configmaps \"map\" not found"),
          rule("API-70", "a lease that is missing is created")
              .when(world -> world.update(LEASES, LEASE))
              .then(answer -> assertThat(answer).isInstanceOf(Answer.Created.class)),
          rule("API-70", "the body names the object of the path")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world ->
                  world.ask(
                      new Request.Update(
                          CONFIG_MAPS,
                          ObjectKey.of("default", "other"),
                          Part.MAIN,
                          World.yaml(MAP))))
              .refused(
                  400,
                  "BadRequest",
                  "the name of the object (map) does not match the name on the URL (other)"),
          rule("API-71", "the uid is that of the object")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world ->
                  world.update(CONFIG_MAPS, vary(MAP, "name: map", "name: map, uid: other")))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .startsWith(
                          "Operation cannot be fulfilled on configmaps \"map\": Precondition"
                              + " failed: UID in precondition: other, UID in object meta: ")),
          rule("API-71", "the server's metadata does not change")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world ->
                  world.merge(
                      CONFIG_MAPS,
                      "default/map",
                      "{metadata: {creationTimestamp: '2001-01-01T00:00:00Z'}}"))
              .invalid(
                  "metadata.creationTimestamp: Invalid value: \"2001-01-01T00:00:00Z\": field is"
                      + " immutable"),
          rule("API-71", "what is going gets no new finalizer")
              .given(world -> {
                world.with(CLAIMS, CLAIM).delete(CLAIMS, "default/data");
                return world;
              })
              .when(world ->
                  world.merge(
                      CLAIMS,
                      "default/data",
                      """
                      metadata:
                        finalizers: [kubernetes.io/pvc-protection, berth.dev/hold]
                      """))
              .invalid(
                  "metadata.finalizers: Forbidden: no new finalizers can be added if the object is"
                      + " being deleted, found new finalizers []string{\"berth.dev/hold\"}"),
          rule("API-77", "the last finalizer takes the object with it")
              .given(world -> {
                world.with(CLAIMS, CLAIM).delete(CLAIMS, "default/data");
                return world;
              })
              .when(world -> {
                var answer = world.merge(CLAIMS, "default/data", "{metadata: {finalizers: []}}");
                assertThat(world.find(CLAIMS, "default/data")).isEmpty();
                return answer;
              })
              .shows("metadata: {name: data, finalizers: null}"),
          rule("API-77", "and so it does through the status of a claim")
              .given(world -> {
                world.with(CLAIMS, CLAIM).delete(CLAIMS, "default/data");
                return world;
              })
              .when(world -> {
                var answer =
                    world.mergeStatus(CLAIMS, "default/data", "{metadata: {finalizers: []}}");
                assertThat(world.find(CLAIMS, "default/data")).isEmpty();
                return answer;
              })
              .shows("metadata: {name: data, finalizers: null}"),
          rule("API-46", "an update leaves the status alone")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world ->
                  world.merge(
                      VOLUMES, "pv-1", "{metadata: {labels: {a: b}}, status: {phase: Bound}}"))
              .shows("{metadata: {labels: {a: b}}, status: {phase: Pending}}"),
          rule("API-46", "a status write leaves the rest alone, but for a volume's metadata")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world ->
                  world.mergeStatus(
                      VOLUMES,
                      "pv-1",
                      """
                      metadata: {labels: {a: b}}
                      spec: {storageClassName: fast}
                      status: {phase: Bound}
                      """))
              .shows(
                  """
                  metadata: {labels: {a: b}}
                  spec: {storageClassName: null}
                  status: {phase: Bound}
                  """),
          // ATT-97
          rule("API-46", "a status write leaves an attachment's metadata alone")
              .given(world -> world.with(ATTACHMENTS, ATTACHMENT))
              .when(world ->
                  world.mergeStatus(
                      ATTACHMENTS,
                      "va-1",
                      "{metadata: {finalizers: [berth.dev/hold]}, status: {attached: true}}"))
              .shows("{metadata: {finalizers: null}, status: {attached: true}}"),
          rule("API-46", "a new phase is stamped")
              .given(world -> world.with(VOLUMES, VOLUME).later(Duration.ofMinutes(1)))
              .when(world -> world.mergeStatus(VOLUMES, "pv-1", "{status: {phase: Available}}"))
              .shows("status: {lastPhaseTransitionTime: '2026-03-01T12:01:00Z'}"),
          rule("API-46", "the same phase keeps its date")
              .given(world -> world.with(VOLUMES, VOLUME).later(Duration.ofMinutes(1)))
              .when(world ->
                  world.mergeStatus(
                      VOLUMES, "pv-1", "{status: {message: hello, lastPhaseTransitionTime: null}}"))
              .shows("status: {lastPhaseTransitionTime: '2026-03-01T12:00:00Z'}"),
          rule("API-46", "a kind without status has no status endpoint")
              .given(world -> world.with(STORAGE_CLASSES, Samples.CLASS))
              .when(world -> world.mergeStatus(STORAGE_CLASSES, "fast", "{status: {}}"))
              .refused(404, "NotFound", "the server could not find the requested resource"),
          rule("API-45", "a driver's generation counts changes to its specification")
              .given(world -> world.with(CSI_DRIVERS, DRIVER))
              .when(world ->
                  world.merge(CSI_DRIVERS, "disk.berth.dev", "{spec: {podInfoOnMount: true}}"))
              .shows("metadata: {generation: 1}"),
          rule("API-45", "and no others")
              .given(world -> world.with(CSI_DRIVERS, DRIVER))
              .when(world ->
                  world.merge(CSI_DRIVERS, "disk.berth.dev", "{metadata: {labels: {a: b}}}"))
              .shows("metadata: {generation: null}"),
          rule("API-45", "a pod's status does not count")
              .given(world -> world.with(PODS, POD))
              .when(world -> world.mergeStatus(PODS, "default/web", "{status: {phase: Running}}"))
              .shows("metadata: {generation: 1}"),
          rule("API-72", "a patch of another version is a conflict")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world ->
                  world.merge(
                      CONFIG_MAPS,
                      "default/map",
                      "{metadata: {resourceVersion: '1'}, data: {a: c}}"))
              .refused(
                  409, "Conflict", "Operation cannot be fulfilled on configmaps \"map\": " + STALE),
          rule("API-29", "a failing operation is named by a cause with a reason of its own")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world ->
                  world.ask(
                      new Request.Change(
                          CONFIG_MAPS,
                          ObjectKey.of("default", "map"),
                          Part.MAIN,
                          Patch.json(World.tree("[{op: remove, path: /data/z}]")))))
              .then(answer -> {
                var refusal = ((Answer.Refused) answer).refusal();
                assertThat(refusal.code()).isEqualTo(422);
                assertThat(refusal.details().causes().getFirst())
                    .isEqualTo(
                        new Refusal.Cause(
                            "FieldValueInvalid",
                            "remove of /data/z: it does not exist",
                            "[0]/data/z"));
              }),
          rule("API-75", "a node's conditions are merged by type")
              .given(world ->
                  world.with(
                      NODES,
                      """
                      metadata: {name: node-a}
                      status: {conditions: [{type: Ready, status: "False"}]}
                      """))
              .when(world ->
                  world.ask(
                      new Request.Change(
                          NODES,
                          ObjectKey.cluster("node-a"),
                          Part.STATUS,
                          Patch.strategic(
                              World.tree(
                                  "{status: {conditions: [{type: Ready, status: 'True'}]}}")))))
              .shows("status: {conditions: [{type: Ready, status: 'True'}]}"));

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  @Test
  void nobodySeesAnObjectThatIsGoingAndThatNothingHolds() { // API-90
    var world = new World().with(CLAIMS, CLAIM);
    world.delete(CLAIMS, "default/data");
    int before = world.written().size();
    world.merge(CLAIMS, "default/data", "{metadata: {finalizers: null}}");
    assertThat(world.find(CLAIMS, "default/data")).isEmpty();
    assertThat(world.written().subList(before, world.written().size()))
        .singleElement()
        .isInstanceOf(Written.Removed.class);
  }

  /// API-48: controllers that write what is there settle.
  @Test
  void aWriteThatChangesNothingIsNone() {
    var world = new World().with(CLAIMS, CLAIM);
    var before = world.state();
    var held = "name: data, finalizers: [kubernetes.io/pvc-protection]";
    world.update(CLAIMS, vary(vary(CLAIM, "name: data", held), "1Gi", "1024Mi"));
    world.merge(CLAIMS, "default/data", "{metadata: {labels: {}, annotations: null}}");
    world.mergeStatus(CLAIMS, "default/data", "{status: {phase: Pending}}");
    assertThat(world.state()).isSameAs(before);
  }
}
