package dev.berth.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// One pod a row: what is special about it, and what `kubectl get pods` says of it.
class PodSummaryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  record Row(String what, String pod, String ready, String status, String restarts) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static final String ONE = "spec: {containers: [{name: a}]}\n";
  private static final String TWO = "spec: {containers: [{name: a}, {name: b}]}\n";
  private static final String INIT =
      "spec: {initContainers: [{name: i}, {name: j}], containers: [{name: a}]}\n";
  private static final String SIDECAR =
      "spec: {initContainers: [{name: s, restartPolicy: Always}], containers: [{name: a}]}\n";

  static final List<Row> rows =
      List.of(
          new Row("nothing is known yet", ONE + "status: {phase: Pending}", "0/1", "Pending", "0"),
          new Row(
              "a gate keeps it from being scheduled",
              ONE
                  + "status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False',"
                  + " reason: SchedulingGated}]}",
              "0/1",
              "SchedulingGated",
              "0"),
          new Row(
              "a container waits",
              ONE
                  + "status: {phase: Pending, containerStatuses: [{name: a, state: {waiting:"
                  + " {reason: ContainerCreating}}}]}",
              "0/1",
              "ContainerCreating",
              "0"),
          new Row(
              "it runs",
              ONE
                  + "status: {phase: Running, containerStatuses: [{name: a, ready: true, state:"
                  + " {running: {}}}]}",
              "1/1",
              "Running",
              "0"),
          new Row(
              "it was started again",
              ONE
                  + "status: {phase: Running, containerStatuses: [{name: a, ready: true,"
                  + " restartCount: 3, state: {running: {}}, lastState: {terminated: {finishedAt:"
                  + " '2026-01-01T00:55:00Z'}}}]}",
              "1/1",
              "Running",
              "3 (5m ago)"),
          new Row(
              "it fails over and over",
              ONE
                  + "status: {phase: Running, containerStatuses: [{name: a, restartCount: 1, state:"
                  + " {waiting: {reason: CrashLoopBackOff}}}]}",
              "0/1",
              "CrashLoopBackOff",
              "1"),
          new Row(
              "it ended well",
              ONE
                  + "status: {phase: Succeeded, containerStatuses: [{name: a, state: {terminated:"
                  + " {exitCode: 0, reason: Completed}}}]}",
              "0/1",
              "Completed",
              "0"),
          new Row(
              "it ended without a reason",
              ONE
                  + "status: {phase: Failed, containerStatuses: [{name: a, state: {terminated:"
                  + " {exitCode: 3}}}]}",
              "0/1",
              "ExitCode:3",
              "0"),
          new Row(
              "it was killed",
              ONE
                  + "status: {phase: Failed, containerStatuses: [{name: a, state: {terminated:"
                  + " {exitCode: 137, signal: 9}}}]}",
              "0/1",
              "Signal:9",
              "0"),
          new Row(
              "it was evicted",
              ONE + "status: {phase: Failed, reason: Evicted}",
              "0/1",
              "Evicted",
              "0"),
          new Row(
              "one has ended, one is ready, and so is the pod",
              TWO
                  + "status: {phase: Running, conditions: [{type: Ready, status: 'True'}],"
                  + " containerStatuses: [{name: a, state: {terminated: {exitCode: 0, reason:"
                  + " Completed}}}, {name: b, ready: true, state: {running: {}}}]}",
              "1/2",
              "Running",
              "0"),
          new Row(
              "one has ended, one is ready, the pod is not",
              TWO
                  + "status: {phase: Running, containerStatuses: [{name: a, state: {terminated:"
                  + " {exitCode: 0, reason: Completed}}}, {name: b, ready: true, state: {running:"
                  + " {}}}]}",
              "1/2",
              "NotReady",
              "0"),
          new Row(
              "the first of two troubles is told",
              TWO
                  + "status: {phase: Running, containerStatuses: [{name: a, state: {waiting:"
                  + " {reason: ImagePullBackOff}}}, {name: b, state: {terminated: {exitCode: 1,"
                  + " reason: Error}}}]}",
              "0/2",
              "ImagePullBackOff",
              "0"),
          new Row(
              "the second init container works",
              INIT
                  + "status: {phase: Pending, initContainerStatuses: [{name: i, restartCount: 1,"
                  + " state: {terminated: {exitCode: 0}}}, {name: j, state: {running: {}}}]}",
              "0/1",
              "Init:1/2",
              "1"),
          new Row(
              "an init container failed",
              INIT
                  + "status: {phase: Pending, initContainerStatuses: [{name: i, state: {terminated:"
                  + " {exitCode: 2, reason: Error}}}, {name: j, state: {waiting: {reason:"
                  + " PodInitializing}}}]}",
              "0/1",
              "Init:Error",
              "0"),
          new Row(
              "an init container fails over and over",
              INIT
                  + "status: {phase: Pending, initContainerStatuses: [{name: i, restartCount: 4,"
                  + " state: {waiting: {reason: CrashLoopBackOff}}}]}",
              "0/1",
              "Init:CrashLoopBackOff",
              "4"),
          new Row(
              "init is over, its restarts are forgotten",
              INIT
                  + "status: {phase: Running, initContainerStatuses: [{name: i, restartCount: 4,"
                  + " state: {terminated: {exitCode: 0}}}, {name: j, state: {terminated:"
                  + " {exitCode: 0}}}], containerStatuses: [{name: a, ready: true, state: {running:"
                  + " {}}}]}",
              "1/1",
              "Running",
              "0"),
          new Row(
              "a sidecar counts beside the container",
              SIDECAR
                  + "status: {phase: Running, initContainerStatuses: [{name: s, ready: true,"
                  + " started: true, restartCount: 2, state: {running: {}}}], containerStatuses:"
                  + " [{name: a, ready: true, state: {running: {}}}]}",
              "2/2",
              "Running",
              "2"),
          new Row(
              "a sidecar has not started",
              SIDECAR
                  + "status: {phase: Pending, initContainerStatuses: [{name: s, state: {running:"
                  + " {}}}]}",
              "0/2",
              "Init:0/1",
              "0"),
          new Row(
              "it is being deleted",
              "metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}\n"
                  + ONE
                  + "status: {phase: Running, containerStatuses: [{name: a, ready: true, state:"
                  + " {running: {}}}]}",
              "1/1",
              "Terminating",
              "0"),
          new Row(
              "it has ended before it was deleted",
              "metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}\n"
                  + ONE
                  + "status: {phase: Succeeded, containerStatuses: [{name: a, state: {terminated:"
                  + " {exitCode: 0, reason: Completed}}}]}",
              "0/1",
              "Completed",
              "0"),
          new Row(
              "its node is lost",
              "metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}\n"
                  + ONE
                  + "status: {phase: Running, reason: NodeLost}",
              "0/1",
              "Unknown",
              "0"));

  @ParameterizedTest
  @FieldSource("rows")
  void says(Row row) {
    var summary = PodSummary.of(Yaml.object(row.pod()));
    assertThat(summary.ready() + "/" + summary.containers()).isEqualTo(row.ready());
    assertThat(summary.status()).isEqualTo(row.status());
    assertThat(summary.restartsText(NOW)).isEqualTo(row.restarts());
  }
}
