package dev.berth.controller.job;

import static dev.berth.controller.Rule.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Means;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.workload.Pods;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loop that runs the pods of Jobs, on a real server.
class JobsTest {
  private static final ObjectKey SUM = ObjectKey.of("shop", "sum");
  private static final Draft JOB =
      Draft.of(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {namespace: shop, name: sum}
          spec:
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                containers: [{name: app, image: host}]
          """);

  private @Nullable Cluster running;

  @BeforeEach
  void start() throws Exception {
    running =
        Cluster.of(means -> List.of(Jobs.jobs().controller(means), Jobs.left().controller(means)));
  }

  @AfterEach
  void stop() {
    cluster().close();
  }

  private Cluster cluster() {
    return Objects.requireNonNull(running);
  }

  private List<Pod> going() {
    return cluster().list(Kinds.POD).stream()
        .filter(pod -> !pod.meta().deleting() && !pod.finished())
        .toList();
  }

  private void untilGoing(int pods) {
    await().until(() -> going().size() == pods);
  }

  private void end(Pod pod, String phase) {
    Pods.phase(cluster(), pod.meta().key(), phase, false);
  }

  private Workload until(String field, int value) {
    return cluster().until(Workload.JOB, SUM, job -> job.status().path(field).asInt() == value);
  }

  private Workload untilSaid(String condition, String reason) {
    return cluster().until(Workload.JOB, SUM, job -> says(job, condition, reason));
  }

  private static boolean says(Workload job, String condition, String reason) {
    for (var each : job.status().path("conditions"))
      if (Json.text(each, "type").equals(condition)
          && Json.text(each, "status").equals("True")
          && Json.text(each, "reason").equals(reason)) return true;
    return false;
  }

  private void change(String path, String value) {
    var change = Draft.of("{metadata: {}}").set(path, value).tree();
    cluster().patch(Workload.JOB, SUM, body -> body.set("spec", change.path("spec")));
  }

  @Test
  void podsComeUntilEnoughHaveSucceeded() {
    cluster().create(JOB.set("spec.completions", "3").set("spec.parallelism", "2"));
    untilGoing(2);
    until("active", 2);
    end(going().getFirst(), "Succeeded");
    until("succeeded", 1);
    untilGoing(2);
    end(going().getFirst(), "Succeeded");
    until("succeeded", 2);
    cluster().untilQuiet();
    assertThat(going()).as("no more than are wanted").hasSize(1);
    end(going().getFirst(), "Succeeded");
    var done = untilSaid("Complete", "CompletionsReached");
    assertThat(says(done, "SuccessCriteriaMet", "CompletionsReached")).isTrue();
    assertThat(done.status().path("succeeded").asInt()).isEqualTo(3);
    assertThat(done.status().hasNonNull("completionTime")).isTrue();
    assertThat(done.status().path("uncountedTerminatedPods").path("succeeded")).isEmpty();
    assertThat(cluster().list(Kinds.POD))
        .as("whoever is counted may go")
        .hasSize(3)
        .allMatch(pod -> pod.meta().finalizers().isEmpty());
    cluster().untilTold("Completed: Job completed");
  }

  @Test
  void eachNumberedPodSucceedsOnce() {
    cluster()
        .create(
            JOB.set("spec.completions", "3")
                .set("spec.parallelism", "3")
                .set("spec.completionMode", "Indexed"));
    untilGoing(3);
    for (var pod : going()) {
      var index = pod.meta().annotations().get("batch.kubernetes.io/job-completion-index");
      assertThat(pod.spec().path("hostname").asText()).isEqualTo("sum-" + index);
      assertThat(pod.spec().at("/containers/0/env/0/name").asText())
          .isEqualTo("JOB_COMPLETION_INDEX");
      end(pod, "Succeeded");
    }
    var done = untilSaid("Complete", "CompletionsReached");
    assertThat(Json.text(done.status(), "completedIndexes")).isEqualTo("0-2");
    assertThat(done.status().path("succeeded").asInt()).isEqualTo(3);
  }

  @Test
  void whatFailsTooOftenIsGivenUp() {
    cluster().create(JOB.set("spec.parallelism", "2").set("spec.completions", "2"));
    untilGoing(2);
    end(going().getFirst(), "Failed");
    var failed = untilSaid("Failed", "BackoffLimitExceeded");
    assertThat(says(failed, "FailureTarget", "BackoffLimitExceeded")).isTrue();
    untilGoing(0);
  }

  /// The next one comes after a pause.
  @Test
  void afterAFailureIsAPause() {
    cluster().create(JOB.set("spec.backoffLimit", "5"));
    untilGoing(1);
    end(going().getFirst(), "Failed");
    until("failed", 1);
    cluster().untilQuiet();
    assertThat(going()).isEmpty();
  }

  /// A pod that somebody deletes counts as one that failed, and is replaced.
  @Test
  void whoIsDeletedIsCountedAndReplaced() {
    cluster().create(JOB.set("spec.backoffLimit", "5"));
    untilGoing(1);
    var first = going().getFirst();
    cluster().delete(Kinds.POD, first.meta().key());
    until("failed", 1);
    cluster().untilGone(Kinds.POD, first.meta().key());
    untilGoing(1);
  }

  @Test
  void whatTakesTooLongIsGivenUp() {
    cluster().create(JOB.set("spec.activeDeadlineSeconds", "1"));
    untilSaid("Failed", "DeadlineExceeded"); // its pod may have come and gone within milliseconds
    untilGoing(0);
  }

  /// Whoever rests looks again when the time is over, as no object will say so.
  @Test
  void whatMayTakeOnlySoLongIsLookedAtWhenThatIsOver() {
    var begun =
        JOB.set("spec.activeDeadlineSeconds", "90")
            .set("spec.selector", "{matchLabels: {job: sum}}")
            .set("status.startTime", "'%s'".formatted(NOW.minusSeconds(60)))
            .set("status.active", "1");
    var world = World.of(begun, ownPod("sum-1"));
    assertThat(Rule.decide(Jobs.jobs(), world, SUM))
        .isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(30)));
    var late = world.with(begun.set("status.startTime", "'%s'".formatted(NOW.minusSeconds(90))));
    assertThat(Rule.decide(Jobs.jobs(), late, SUM)).isInstanceOf(Act.class);
  }

  private static Draft ownPod(String name) {
    return Draft.pod(name)
        .label("job", "sum")
        .set("metadata.finalizers", "[batch.kubernetes.io/job-tracking]")
        .set(
            "metadata.ownerReferences",
            "[{apiVersion: batch/v1, kind: Job, name: sum, uid: uid-sum, controller: true}]");
  }

  @Test
  void whatIsSuspendedHasNoPods() {
    cluster().create(JOB.set("spec.suspend", "true"));
    untilSaid("Suspended", "JobSuspended");
    assertThat(going()).isEmpty();
    change("spec.suspend", "false");
    untilGoing(1);
    until("active", 1);
  }

  @Test
  void whatHasFinishedGoesAfterItsTime() {
    cluster().create(JOB.set("spec.ttlSecondsAfterFinished", "1"));
    untilGoing(1);
    end(going().getFirst(), "Succeeded");
    cluster().untilGone(Workload.JOB, SUM);
    await().until(() -> cluster().list(Kinds.POD).isEmpty());
  }

  /// As kubectl, the garbage collector and somebody who says nothing delete a Job: whatever becomes
  /// of its pods, none of them is held for a count that nobody makes any more.
  @ParameterizedTest
  @ValueSource(strings = {"Background", "Foreground", "Orphan"})
  void whoIsNotCountedAnyMoreMayGo(String propagation) {
    cluster().create(JOB.set("spec.parallelism", "2"));
    untilGoing(2);
    var pods = going();
    cluster()
        .api()
        .delete(
            Workload.JOB.resource(),
            SUM,
            new DeleteOptions(
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.of(propagation)));
    for (var pod : pods) {
      await().until(() -> isReleased(pod));
      if (propagation.equals("Orphan")) cluster().delete(Kinds.POD, pod.meta().key());
      cluster().untilGone(Kinds.POD, pod.meta().key());
    }
    cluster().untilGone(Workload.JOB, SUM);
  }

  private boolean isReleased(Pod pod) {
    return cluster()
        .find(Kinds.POD, pod.meta().key())
        .filter(it -> !it.meta().finalizers().isEmpty())
        .isEmpty();
  }

  /// A cache may show a pod before its Job.
  @Test
  void whoIsCountedIsHeldThoughItsJobIsNotSeen() {
    cluster().create(JOB);
    untilGoing(1);
    var pod = going().getFirst();
    var unseen = Facts.of(Snapshots.empty().with(Kinds.POD, pod));
    var step = (Act) new LeftPods().decide(unseen, pod.meta().key());
    var release = new PodRelease(new Means(cluster().api(), Snapshots::empty, _ -> {}));
    assertThatThrownBy(() -> release.carryOut((ReleasePod) step.effect()))
        .isInstanceOf(ApiException.LostRace.class);
    assertThat(isReleased(pod)).isFalse();
  }

  @Test
  void whatCannotBeDoneAsItIsMeantIsNotDone() {
    var world = World.of(JOB.set("spec.successPolicy", "{rules: [{succeededCount: 1}]}"));
    assertThat(Rule.decide(Jobs.jobs(), world, SUM))
        .isInstanceOf(Settled.class)
        .extracting(step -> ((Settled) step).warning().orElseThrow().message())
        .isEqualTo("spec.successPolicy is not supported here: no pod is made; take it out");
  }
}
