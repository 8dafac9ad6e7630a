package dev.berth.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.workload.StateRecord;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect.Adopt;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What a StatefulSet lacks, or has too much of.
class SetDecisionTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");

  /// Two pods with a claim each, in order.
  private static final Draft SET =
      Draft.of(
          """
          apiVersion: apps/v1
          kind: StatefulSet
          metadata: {namespace: shop, name: web, generation: 1}
          spec:
            replicas: 2
            serviceName: web
            selector: {matchLabels: {app: web}}
            podManagementPolicy: OrderedReady
            updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}
            persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Retain}
            template:
              metadata: {labels: {app: web}}
              spec: {containers: [{name: app, image: host}]}
            volumeClaimTemplates:
            - metadata: {name: data, labels: {tier: gold}}
              spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
          """);

  private static final Draft OLD = record(SET.set("spec.template.spec.hostNetwork", "true"), 1);
  private static final Draft RECORD = record(SET, 2);

  /// All is as it is to be.
  private static final World WANTED =
      World.of(
          status(SET, 2, 2),
          OLD,
          RECORD,
          pod("web-0"),
          pod("web-1"),
          claim("data-web-0"),
          claim("data-web-1"));

  private static final World PARALLEL = set("spec.podManagementPolicy", "Parallel");

  /// What is expected, in words.
  record Row(String id, String sentence, World world, String step) {
    @Override
    public String toString() {
      return id + ": " + sentence;
    }
  }

  static final List<Row> rows =
      List.of(
          new Row("STS-01", "a set that is as it is to be is left alone", WANTED, "settled"),
          new Row(
              "STS-01",
              "what its template is, is written down before anything is made",
              World.of(SET),
              "make " + RECORD.key().name()),
          new Row(
              "STS-01",
              "a pod's claim is made before the pod, and one pod at a time",
              bare(2, 0),
              "make data-web-0, web-0"),
          new Row(
              "STS-01",
              "a claim that is there is taken as it is",
              bare(2, 0).with(claim("data-web-0")),
              "make web-0"),
          new Row(
              "STS-01",
              "a claim that a waiting pod lacks is made again",
              less("data-web-1").with(pod("web-1").set("status", "{phase: Pending}")),
              "status {readyReplicas=1, availableReplicas=1}"),
          new Row(
              "STS-01",
              "the same, when that is known",
              told(less("data-web-1").with(pod("web-1").set("status", "{phase: Pending}")), 1),
              "make data-web-1"),
          new Row(
              "STS-02",
              "a claim that somebody deletes is in the way of its pod",
              told(without("web-1").with(claim("data-web-1").deleting()), 1),
              "wait for persistentvolumeclaim/data-web-1 metadata.finalizers; FailedCreate: create"
                  + " Pod web-1 in StatefulSet web failed error: pvc data-web-1 is being deleted"),
          new Row(
              "STS-03",
              "a set that takes its claims with it owns them",
              set("spec.persistentVolumeClaimRetentionPolicy.whenDeleted", "Delete"),
              "owners of data-web-0: uid-web"),
          new Row(
              "STS-03",
              "a set that keeps them does not",
              WANTED.with(owned(claim("data-web-1"), "StatefulSet", "web", "uid-web")),
              "owners of data-web-1: -uid-web"),
          new Row(
              "STS-03",
              "a pod that is scaled away is given its claim before it goes",
              scaled("Delete"),
              "owners of data-web-1: uid-web-1"),
          new Row(
              "STS-03",
              "then it goes",
              scaled("Delete").with(owned(claim("data-web-1"), "Pod", "web-1", "uid-web-1")),
              "remove web-1"),
          new Row(
              "STS-03", "where claims are kept it goes at once", scaled("Retain"), "remove web-1"),
          new Row(
              "STS-03",
              "ordinals begin where the set says",
              told(set("spec.ordinals", "{start: 1}"), 2),
              "make data-web-2, web-2"),
          new Row(
              "STS-04",
              "a claim of a former pod of that name goes first",
              told(
                  without("web-1")
                      .with(owned(claim("data-web-1"), "Pod", "web-1", "uid-of-another")),
                  1),
              "wait for persistentvolumeclaim/data-web-1 metadata.ownerReferences"),
          new Row(
              "STS-04",
              "a claim of a former set of that name goes first",
              told(
                  without("web-1")
                      .with(owned(claim("data-web-1"), "StatefulSet", "web", "uid-of-another")),
                  1),
              "wait for persistentvolumeclaim/data-web-1 metadata.ownerReferences"),
          new Row(
              "STS-04",
              "who is wanted again keeps his claim, though his pod still ends",
              WANTED.with(
                  owned(claim("data-web-1"), "Pod", "web-1", "uid-web-1"), pod("web-1").deleting()),
              "status {currentReplicas=1, updatedReplicas=1}"),
          new Row(
              "STS-04",
              "the same, when that is known",
              told(
                  WANTED.with(
                      owned(claim("data-web-1"), "Pod", "web-1", "uid-web-1"),
                      pod("web-1").deleting()),
                  2,
                  "currentReplicas: 1, updatedReplicas: 1"),
              "owners of data-web-1: -uid-web-1"),
          new Row(
              "STS-05",
              "a claim that is another controller's is left to it, and that is told",
              WANTED.with(owned(claim("data-web-1"), "Database", "db", "uid-db")),
              "settled; ConflictingController: claim data-web-1 is managed by Database db, so it is"
                  + " not kept or deleted as spec.persistentVolumeClaimRetentionPolicy says"),
          new Row(
              "STS-05",
              "an owner whom somebody wrote there by hand stays",
              WANTED.with(
                  claim("data-web-1")
                      .add(
                          "metadata.ownerReferences",
                          "{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: uid-web}")),
              "settled"),
          new Row(
              "STS-06",
              "the next pod waits for the one before it",
              told(without("web-1").with(pod("web-0").set("status", "{phase: Running}")), 0),
              "wait for pod/web-0 status.conditions"),
          new Row(
              "STS-06",
              "and for as long as a pod is to be ready",
              told(
                  without("web-1")
                      .with(
                          new Draft(world(WANTED, "web").tree())
                              .set("spec.minReadySeconds", "9000")),
                  1,
                  "availableReplicas: 0"),
              "wait for pod/web-0 status.conditions"),
          new Row(
              "STS-06",
              "side by side, all are made at once",
              told(bare(PARALLEL, 0), 0),
              "make data-web-0, web-0, data-web-1, web-1"),
          new Row(
              "STS-07",
              "a pod that ends on a dead node is not replaced",
              told(
                  WANTED.with(pod("web-0").deleting()),
                  2,
                  "currentReplicas: 1, updatedReplicas: 1"),
              "wait for pod/web-0 metadata.deletionTimestamp"),
          new Row(
              "STS-07",
              "nor where pods come side by side",
              told(
                  PARALLEL.with(pod("web-0").deleting()),
                  2,
                  "currentReplicas: 1, updatedReplicas: 1"),
              "wait for pod/web-0 metadata.deletionTimestamp"),
          new Row(
              "STS-06",
              "a pod that has ended makes room for its successor",
              told(WANTED.with(pod("web-1").set("status", "{phase: Failed}")), 1),
              "remove web-1"),
          new Row(
              "STS-06",
              "pods of a former template go, the last first",
              told(
                  WANTED.with(old("web-0"), old("web-1")),
                  2,
                  "currentReplicas: 2, updatedReplicas: 0, currentRevision: " + OLD.key().name()),
              "remove web-1"),
          new Row(
              "STS-06",
              "but not below the partition",
              told(
                  set("spec.updateStrategy.rollingUpdate.partition", "1").with(old("web-0"), OLD),
                  2,
                  "currentReplicas: 1, updatedReplicas: 1, currentRevision: " + OLD.key().name()),
              "settled"),
          new Row(
              "STS-06",
              "nor where it is the user who deletes them",
              told(
                  set("spec.updateStrategy", "{type: OnDelete}").with(old("web-0"), OLD),
                  2,
                  "currentReplicas: 1, updatedReplicas: 1, currentRevision: " + OLD.key().name()),
              "settled"),
          new Row(
              "STS-06",
              "a roll-out is over when all are ready",
              WANTED.with(
                  new Draft(world(WANTED, "web").tree())
                      .set("status.currentRevision", OLD.key().name())
                      .set("status.currentReplicas", "0")),
              "status {currentReplicas=2, currentRevision=\"" + RECORD.key().name() + "\"}"),
          new Row(
              "STS-06",
              "templates that nobody needs are forgotten",
              told(set("spec.revisionHistoryLimit", "0"), 2),
              "remove " + OLD.key().name()),
          new Row(
              "STS-01",
              "a pod of its labels and its name that nobody has is taken",
              WANTED.with(pod("web-7").without("metadata.ownerReferences")),
              "adopt web-7"),
          new Row(
              "STS-01",
              "one of another name is not",
              WANTED.with(pod("other-7").without("metadata.ownerReferences")),
              "settled"),
          new Row(
              "STS-01",
              "one that does not bear its labels any more is let go",
              WANTED.with(pod("web-1").label("app", "none")),
              "owners of web-1: -uid-web"));

  private static Draft status(Draft set, int pods, int ready) {
    return set.set(
        "status",
        """
        {observedGeneration: 1, replicas: %1$d, readyReplicas: %2$d, availableReplicas: %2$d,
         currentReplicas: %1$d, updatedReplicas: %1$d, collisionCount: 0,
         currentRevision: %3$s, updateRevision: %3$s}
        """
            .formatted(pods, ready, RECORD.key().name()));
  }

  private static Draft world(World world, String set) {
    return world.get(Workload.STATEFUL_SET, set);
  }

  private static World set(String path, String value) {
    return WANTED.with(world(WANTED, "web").set(path, value));
  }

  private static World less(String claim) {
    return WANTED.without(Kinds.CLAIM, claim);
  }

  private static World without(String pod) {
    return WANTED.without(Kinds.POD, pod);
  }

  /// Nothing is there of a set that wants so many.
  private static World bare(int replicas, int pods) {
    return bare(set("spec.replicas", "" + replicas), pods);
  }

  private static World bare(World world, int pods) {
    return World.of(status(world(world, "web"), pods, pods), OLD, RECORD);
  }

  /// One pod too many.
  private static World scaled(String policy) {
    return WANTED.with(
        world(WANTED, "web")
            .set("spec.replicas", "1")
            .set("spec.persistentVolumeClaimRetentionPolicy.whenScaled", policy));
  }

  /// A world whose set's status says what there is.
  private static World told(World world, int ready) {
    return told(world, ready, "");
  }

  private static World told(World world, int ready, String more) {
    long pods = world.objects().stream().filter(it -> it.kind().equals(Kinds.POD)).count();
    var set = status(world(world, "web"), (int) pods, ready);
    for (var field : more.isEmpty() ? new String[0] : more.split(", ")) {
      var parts = field.split(": ");
      set = set.set("status." + parts[0], parts[1]);
    }
    return world.with(set);
  }

  private static Draft record(Draft set, int number) {
    var make = (Make) ((Act) Rule.decide(StatefulSets.sets(), World.of(set), WEB)).effect();
    var object = make.births().getFirst().object().deepCopy();
    object.put("apiVersion", "apps/v1").put("kind", "ControllerRevision").put("revision", number);
    return Draft.of(object.toString());
  }

  private static Draft pod(String name) {
    return Draft.pod(name)
        .label("app", "web")
        .label("controller-revision-hash", RECORD.key().name())
        .set(
            "metadata.ownerReferences",
            "[{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: uid-web, controller: true}]")
        .runningOn("node-a")
        .set(
            "status.conditions",
            "[{type: Ready, status: 'True', lastTransitionTime: '2026-11-21T10:00:00Z'}]");
  }

  private static Draft old(String name) {
    return pod(name).label("controller-revision-hash", OLD.key().name());
  }

  private static Draft claim(String name) {
    return Draft.claim(name);
  }

  private static Draft owned(Draft claim, String kind, String name, String uid) {
    return claim.set(
        "metadata.ownerReferences",
        "[{apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}]"
            .formatted(
                kind.equals("Pod") ? "v1" : kind.equals("Database") ? "x.io/v1" : "apps/v1",
                kind,
                name,
                uid));
  }

  private static String words(Step step) {
    return switch (step) {
      case Act(Make(var births), _) ->
          births.stream()
              .map(it -> Json.text(it.object().path("metadata"), "name"))
              .collect(Collectors.joining(", ", "make ", ""));
      case Act(Remove(var deaths), _) ->
          deaths.stream()
              .map(it -> it.object().key().name())
              .collect(Collectors.joining(", ", "remove ", ""));
      case Act(Change(_, _, var body, var part, _), _) when part == Change.Part.STATUS ->
          body.path("status").properties().stream()
              .map(it -> it.getKey() + "=" + it.getValue())
              .collect(Collectors.joining(", ", "status {", "}"));
      case Act(Change change, _) -> "owners of " + change.object().key().name() + owners(change);
      case Act(Adopt(_, var change), _) -> "adopt " + change.object().key().name();
      case Act(var effect, _) -> effect.toString();
      case Wait wait ->
          "wait for %s %s%s"
              .formatted(
                  wait.on(),
                  wait.field(),
                  wait.notice().map(it -> "; " + it.reason() + ": " + it.message()).orElse(""));
      case Settled(var warning, _) ->
          "settled" + warning.map(it -> "; " + it.reason() + ": " + it.message()).orElse("");
    };
  }

  private static String owners(Change change) {
    var words = new StringBuilder(":");
    for (var owner : change.body().path("metadata").path("ownerReferences"))
      words.append(owner.has("$patch") ? " -" : " ").append(Json.text(owner, "uid"));
    return words.toString();
  }

  @ParameterizedTest
  @FieldSource
  void rows(Row row) {
    assertThat(words(Rule.decide(StatefulSets.sets(), row.world(), WEB))).isEqualTo(row.step());
  }

  /// STS-01: the labels of a claim are its template's and those by which the set is found.
  @Test
  void aClaimBearsTheLabelsOfItsTemplateAndOfTheSet() {
    var make = (Make) ((Act) Rule.decide(StatefulSets.sets(), bare(2, 0), WEB)).effect();
    var claim = make.births().getFirst().object();
    assertThat(Json.texts(claim.path("metadata").path("labels")))
        .containsOnly(Map.entry("tier", "gold"), Map.entry("app", "web"));
    assertThat(claim.path("metadata").has("ownerReferences")).isFalse();
    assertThat(StateRecord.KIND.read().apply(RECORD.tree()).number()).isEqualTo(2);
  }
}
