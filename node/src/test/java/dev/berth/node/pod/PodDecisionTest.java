package dev.berth.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.pod.PodEffect.CleanUp;
import dev.berth.node.pod.PodEffect.Delete;
import dev.berth.node.pod.PodEffect.Kill;
import dev.berth.node.pod.PodEffect.Probe;
import dev.berth.node.pod.PodEffect.Release;
import dev.berth.node.pod.PodEffect.Renew;
import dev.berth.node.pod.PodEffect.Start;
import dev.berth.node.pod.PodEffect.Stop;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.ProbeState;
import dev.berth.node.pod.local.Probing;
import dev.berth.node.pod.local.Probing.Kind;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.Images;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.node.volume.state.Publication;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PodDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final ContainerId INIT = new ContainerId("pod-1", "init", 0);
  private static final ContainerId APP = new ContainerId("pod-1", "app", 0);
  private static final VolumeName NAME = new VolumeName("disk.berth.dev", "vol-1");

  private static final String POD =
      """
      metadata: {namespace: ns, name: web, uid: pod-1, resourceVersion: "7"}
      spec:
        nodeName: n
        restartPolicy: OnFailure
        initContainers: [{name: init, image: host, command: [i]}]
        containers:
        - {name: app, image: host, command: [a], volumeMounts: [{name: data, mountPath: /data}]}
        volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      status: {phase: Pending}
      """;
  private static final String LEAVING =
      POD.replace("uid: pod-1", "uid: pod-1, deletionTimestamp: \"2026-11-21T12:00:20Z\"");
  private static final String LEAVING_AT_ONCE = LEAVING.replace(":20Z", ":00Z");
  private static final String ENDED = POD.replace("phase: Pending", "phase: Succeeded");

  /// @param objects what the API shows
  record World(Snapshots objects, Actual actual, Local local) {
    World pod(String yaml) {
      return new World(objects.with(Kinds.POD, read(yaml)), actual, local);
    }

    World noPod() {
      return new World(objects.without(Kinds.POD, read(POD)), actual, local);
    }

    World mounted() {
      var published = actual.volume(NAME).with("pod-1", new Publication.Present("pv-1", NOW));
      return new World(objects, actual.with(published), local);
    }

    World held() {
      return new World(objects, actual.hold("pod-1", List.of()).orElseThrow(), local);
    }

    World local(UnaryOperator<Local> change) {
      return new World(objects, actual, change.apply(local));
    }

    World run(ContainerId id, ContainerState state) {
      return local(here -> here.with(new Run(id, state, "")));
    }

    PodView view() {
      return new PodView(
          objects,
          NOW,
          Agent.at(InetAddress.getLoopbackAddress()),
          actual,
          local,
          DrainOrder.NONE,
          Images.UNKNOWN);
    }

    Start start(ContainerId id) {
      var pod = view().pod("pod-1").orElseThrow();
      Map<String, Want> volumes = new HashMap<>();
      for (var need : view().needs(pod))
        if (need instanceof Need.Known(var name, var want)) volumes.put(name, want);
      var container = ContainerTemplate.of(pod).filter(c -> c.name().equals(id.name())).findFirst();
      return new Start(
          pod, container.orElseThrow(), id.attempt(), volumes, Map.of(), Images.UNKNOWN);
    }
  }

  private static Pod read(String yaml) {
    return Kinds.POD.read().apply(TestNode.yaml(yaml));
  }

  private static final World NEW =
      new World(
          Snapshots.empty()
              .with(Kinds.POD, read(POD))
              .with(
                  Kinds.CLAIM,
                  Kinds.CLAIM
                      .read()
                      .apply(
                          TestNode.yaml(
                              """
                              metadata: {namespace: ns, name: data, uid: claim-1}
                              spec: {volumeName: pv-1}
                              status: {phase: Bound}
                              """)))
              .with(
                  Kinds.VOLUME,
                  Kinds.VOLUME
                      .read()
                      .apply(
                          TestNode.yaml(
                              """
                              metadata: {name: pv-1}
                              spec:
                                claimRef: {namespace: ns, name: data, uid: claim-1}
                                csi: {driver: disk.berth.dev, volumeHandle: vol-1}
                              """))),
          Actual.NOTHING,
          Local.NOTHING.withDirectory("pod-1"));

  private static ContainerState running() {
    return new ContainerState.Running(NOW.minusSeconds(60));
  }

  private static ContainerState ended(int exitCode) {
    return new ContainerState.Exited(NOW.minusSeconds(60), NOW.minusSeconds(5), exitCode);
  }

  /// Mounted, the init container has done its work.
  private static final World READY = NEW.mounted().run(INIT, ended(0));

  private static final World RUNNING = READY.held().run(APP, running());

  record Rule(String id, String says, World given, Step then) {
    @Override
    public String toString() {
      return id + ": " + says;
    }
  }

  private static Rule rule(String id, String says, World given, Step then) {
    return new Rule(id, says, given, then);
  }

  private static Step stop(ContainerId id, Duration after) {
    return new Act(new Stop("pod-1", Set.of(id), NOW.plus(after), Optional.empty(), ""));
  }

  private static final String SHOWS =
      POD.replace("volumes: [", "volumes: [{name: api, projected: {sources: []}}, ");
  private static final World SHOWING = READY.pod(SHOWS);

  private static final ContainerId PROXY = new ContainerId("pod-1", "proxy", 0);
  private static final ContainerId SETUP = new ContainerId("pod-1", "setup", 0);

  private static final String INITS = "{name: init, image: host, command: [i]}";
  private static final String BESIDES =
      "{name: proxy, image: host, command: [p], restartPolicy: Always, startupProbe: {exec:"
          + " {command: [up]}}}, {name: setup, image: host, command: [s]}";

  /// A sidecar with a startup probe, an init container after it, and the app.
  private static final String BESIDE = POD.replace(INITS, BESIDES);

  private static final World PROXIED = NEW.mounted().pod(BESIDE);
  private static final Probing UP = new Probing(PROXY, Kind.STARTUP);

  private static ProbeState after(int seconds, UnaryOperator<ProbeState> change) {
    return change.apply(ProbeState.NONE.begin(NOW.minusSeconds(seconds)));
  }

  private static World up(World world) {
    return world.run(PROXY, running()).local(here -> here.with(UP, after(3, it -> it.succeed(1))));
  }

  private static Act probe(World world, Probing probing) {
    var pod = world.view().pod("pod-1").orElseThrow();
    var container =
        ContainerTemplate.of(pod).filter(c -> c.name().equals(probing.run().name())).findFirst();
    return new Act(new Probe(pod, container.orElseThrow(), probing));
  }

  private static final World SERVING = up(PROXIED).run(SETUP, ended(0)).held().run(APP, running());

  static final List<Rule> sidecars =
      List.of(
          rule("NRUN-07", "a sidecar starts first", PROXIED, new Act(PROXIED.start(PROXY))),
          rule(
              "NRUN-07",
              "what comes after it waits for its startup probe",
              PROXIED.run(PROXY, running()),
              probe(PROXIED.run(PROXY, running()), UP)),
          rule("NRUN-07", "and not for its end", up(PROXIED), new Act(up(PROXIED).start(SETUP))),
          rule(
              "NRUN-07",
              "then the app",
              up(PROXIED).run(SETUP, ended(0)),
              new Act(up(PROXIED).run(SETUP, ended(0)).start(APP))),
          rule("NRUN-07", "all of it running is settled", SERVING, new Settled()),
          rule(
              "NRUN-07",
              "a sidecar that ends starts again, though it succeeded and the policy is OnFailure",
              SERVING.run(PROXY, ended(0)),
              new Act(SERVING.start(new ContainerId("pod-1", "proxy", 1)))),
          rule(
              "NRUN-07",
              "also while an init container runs",
              up(PROXIED).run(SETUP, running()).run(PROXY, ended(1)),
              new Act(PROXIED.start(new ContainerId("pod-1", "proxy", 1)))),
          rule(
              "NRUN-07",
              "when the app is done the sidecar is stopped",
              SERVING.run(APP, ended(0)),
              stop(PROXY, Duration.ofSeconds(30))),
          rule(
              "NRUN-07",
              "a pod that leaves stops its app first",
              SERVING.pod(LEAVING.replace(INITS, BESIDES)),
              stop(APP, Duration.ofSeconds(20))),
          rule(
              "NRUN-07",
              "then its sidecar",
              SERVING.run(APP, ended(143)).pod(LEAVING.replace(INITS, BESIDES)),
              stop(PROXY, Duration.ofSeconds(20))),
          rule(
              "NRUN-07",
              "which gets a moment though the app has used up the time",
              SERVING.run(APP, ended(137)).pod(LEAVING_AT_ONCE.replace(INITS, BESIDES)),
              stop(PROXY, Duration.ofSeconds(2))));

  private static final String PROBED =
      POD.replace(
          "command: [a],",
          "command: [a], livenessProbe: {tcpSocket: {port: 1}, initialDelaySeconds: 5},"
              + " readinessProbe: {exec: {command: [r]}, periodSeconds: 7},");
  private static final World ALIVE = READY.held().pod(PROBED).run(APP, running());
  private static final Probing LIVE = new Probing(APP, Kind.LIVENESS);
  private static final Probing READS = new Probing(APP, Kind.READINESS);

  private static World both(World world, UnaryOperator<ProbeState> live, int ago) {
    return world
        .local(here -> here.with(LIVE, after(ago, live)))
        .local(here -> here.with(READS, after(ago, it -> it.succeed(1))));
  }

  static final List<Rule> probes =
      List.of(
          rule("NRUN-10", "a probe is asked when its delay is over", ALIVE, probe(ALIVE, LIVE)),
          rule(
              "NRUN-10",
              "not before",
              READY
                  .held()
                  .pod(PROBED)
                  .run(APP, new ContainerState.Running(NOW.minusSeconds(2)))
                  .local(here -> here.with(READS, after(2, it -> it))),
              new Settled().lookAgainAt(NOW.plusSeconds(3))),
          rule(
              "NRUN-10",
              "then in its period, the earliest first",
              both(ALIVE, it -> it.succeed(1), 4),
              new Settled().lookAgainAt(NOW.plusSeconds(3))),
          rule(
              "NRUN-10",
              "two failures are not enough",
              both(ALIVE, it -> it.fail(3).fail(3), 4),
              new Settled().lookAgainAt(NOW.plusSeconds(3))),
          rule(
              "NRUN-10",
              "three are: it ends in the pod's grace",
              both(ALIVE, it -> it.fail(3).fail(3).fail(3), 4),
              stop(APP, Duration.ofSeconds(30))),
          rule(
              "NRUN-10",
              "and is killed if it does not",
              both(ALIVE, it -> it.fail(3).fail(3).fail(3), 40)
                  .local(here -> here.stopping(Set.of(APP), NOW)),
              new Act(new Kill("pod-1", Set.of(APP)))),
          rule(
              "NRUN-10",
              "a pod that leaves is asked nothing more",
              both(ALIVE, it -> it, 40)
                  .pod(
                      PROBED.replace(
                          "uid: pod-1", "uid: pod-1, deletionTimestamp: \"2026-11-21T12:00:20Z\"")),
              stop(APP, Duration.ofSeconds(20))));

  /// Since a minute, with so many seconds to be over.
  private static String within(int seconds) {
    return POD.replace("nodeName: n", "nodeName: n\n  activeDeadlineSeconds: " + seconds)
        .replace("phase: Pending", "phase: Running, startTime: \"2026-11-21T11:59:00Z\"");
  }

  /// The driver has no room for the pod's volume on the node.
  private static World full(String driver) {
    return new World(
        NEW.objects()
            .with(Kinds.CSI_DRIVER, Kinds.CSI_DRIVER.read().apply(TestNode.yaml(driver)))
            .with(
                Kinds.ATTACHMENT,
                Kinds.ATTACHMENT
                    .read()
                    .apply(
                        TestNode.yaml(
                            """
                            metadata: {name: %s}
                            spec: {attacher: disk.berth.dev, nodeName: n, source: {persistentVolumeName: pv-1}}
                            status: {attached: false, attachError: {errorCode: 8, message: full}}
                            """
                                .formatted(NAME.attachment("n"))))),
        NEW.actual(),
        NEW.local());
  }

  private static final String ASKED_AGAIN =
      "{metadata: {name: disk.berth.dev}, spec: {nodeAllocatableUpdatePeriodSeconds: 60}}";

  private static ObjectNode told(World world) {
    var step = new PodDecision(PodStatus::change).decide(world.view(), "pod-1");
    return ((PodEffect.Report) ((Act) step).effect()).status();
  }

  @Test
  void aPodWhoseVolumeFindsNoRoomOnTheNodeFails() { // NCSN-10, ATT-47
    var status = told(full(ASKED_AGAIN));
    assertThat(status.path("phase").asText()).isEqualTo("Failed");
    assertThat(status.path("reason").asText()).isEqualTo("VolumeAttachmentLimitExceeded");
    assertThat(status.path("message").asText())
        .startsWith(
            "Pod was rejected: Node has reached its volume attachment limit, rejecting pod.");
    // The driver has promised nothing of the kind.
    assertThat(told(full("{metadata: {name: disk.berth.dev}, spec: {}}")).path("phase").asText())
        .isEqualTo("Pending");
    // It has been here before.
    assertThat(decide(full(ASKED_AGAIN).run(INIT, ended(0)))).isInstanceOf(Wait.class);
  }

  @Test
  void aPodThatHasTakenTooLongHasFailedWhenItsContainersHaveEnded() {
    var late = RUNNING.pod(within(60));
    var status = told(late.run(APP, ended(143)));
    assertThat(status.path("phase").asText()).isEqualTo("Failed");
    assertThat(status.path("reason").asText()).isEqualTo("DeadlineExceeded");
  }

  static final List<Rule> acts =
      List.of(
          rule(
              "NRUN-09",
              "a pod whose time is over is stopped in its grace",
              RUNNING.pod(within(60)),
              stop(APP, Duration.ofSeconds(30))),
          rule(
              "NRUN-09",
              "and looked at when that is",
              RUNNING.pod(within(61)),
              new Settled().lookAgainAt(NOW.plusSeconds(1))),
          rule(
              "NRUN-01",
              "mounted, the init container starts",
              NEW.mounted(),
              new Act(NEW.mounted().start(INIT))),
          rule("NRUN-01", "then the others", READY, new Act(READY.start(APP))),
          rule("NRUN-07", "running is settled", RUNNING, new Settled()),
          rule(
              "NRUN-05",
              "after a minute the files of its volumes are brought up to date",
              SHOWING.run(APP, new ContainerState.Running(NOW.minusSeconds(60))),
              new Act(new Renew(read(SHOWS)))),
          rule(
              "NRUN-05",
              "and each minute again",
              SHOWING
                  .run(APP, new ContainerState.Running(NOW.minusSeconds(600)))
                  .local(here -> here.renewed("pod-1", NOW.minusSeconds(20))),
              new Settled().lookAgainAt(NOW.plusSeconds(40))),
          rule(
              "NRUN-07",
              "the first failure is tried again at once",
              READY.run(APP, ended(1)),
              new Act(READY.start(new ContainerId("pod-1", "app", 1)))),
          rule(
              "NRUN-07",
              "with OnFailure success is the end",
              READY.run(APP, ended(0)),
              new Settled()),
          rule(
              "NRUN-07",
              "an init container that fails for good starts nothing",
              NEW.pod(POD.replace("OnFailure", "Never")).mounted().run(INIT, ended(1)),
              new Settled()),
          rule(
              "NRUN-12",
              "a run of which only the status tells counts as one",
              NEW.mounted()
                  .pod(
                      POD.replace(
                          "phase: Pending",
                          "phase: Running, initContainerStatuses: [{name: init, restartCount: 0,"
                              + " state: {terminated: {exitCode: 0}}}], containerStatuses: [{name:"
                              + " app, restartCount: 0, state: {terminated: {exitCode: 0}}}]")),
              new Settled()),
          rule(
              "NRUN-09",
              "a pod that leaves is stopped by its deadline",
              RUNNING.pod(LEAVING),
              stop(APP, Duration.ofSeconds(20))),
          rule(
              "NRUN-09",
              "a shorter grace replaces a longer one",
              RUNNING.pod(LEAVING).local(here -> here.stopping(Set.of(APP), NOW.plusSeconds(30))),
              stop(APP, Duration.ofSeconds(20))),
          rule(
              "NRUN-09",
              "a longer one changes nothing, and when its time is over it is killed",
              RUNNING.pod(LEAVING).local(here -> here.stopping(Set.of(APP), NOW)),
              new Act(new Kill("pod-1", Set.of(APP)))),
          rule(
              "NRUN-09",
              "without any grace it is killed at once",
              RUNNING.pod(LEAVING_AT_ONCE),
              new Act(new Kill("pod-1", Set.of(APP)))),
          rule(
              "NREC-07",
              "when nothing runs it lets go of its volumes",
              READY.held().run(APP, ended(143)).pod(LEAVING),
              new Act(new Release("pod-1"))),
          rule(
              "NRUN-16",
              "unmounted, its directories go",
              NEW.run(INIT, ended(0)).run(APP, ended(0)).pod(LEAVING),
              new Act(new CleanUp("pod-1"))),
          rule(
              "NRUN-16",
              "then its object",
              new World(NEW.objects(), Actual.NOTHING, Local.NOTHING).pod(LEAVING),
              new Act(new Delete(read(POD).meta().key(), "pod-1"))),
          rule(
              "NRUN-08",
              "one that has ended lets go, its object stays",
              READY.held().run(APP, ended(0)).pod(ENDED),
              new Act(new Release("pod-1"))),
          rule(
              "NRUN-08",
              "and then rests",
              NEW.run(INIT, ended(0)).run(APP, ended(0)).pod(ENDED),
              new Settled()),
          rule(
              "NRUN-08",
              "a grace that no clock can hold is a long one",
              RUNNING.pod(
                  ENDED.replace(
                      "spec:", "spec:\n  terminationGracePeriodSeconds: " + Long.MAX_VALUE)),
              stop(APP, Duration.ofDays(36_500))),
          rule(
              "NRUN-09",
              "without an object it is stopped soon",
              RUNNING.noPod(),
              stop(APP, Duration.ofSeconds(2))),
          rule(
              "NCLN-03",
              "and what is left of it goes",
              NEW.run(APP, ended(137)).noPod(),
              new Act(new CleanUp("pod-1"))));

  /// Without the status: what is told of a pod is [PodStatusTest]'s.
  private static Step decide(World world) {
    return new PodDecision((PodView _, Pod _) -> Optional.<ObjectNode>empty())
        .decide(world.view(), "pod-1");
  }

  @ParameterizedTest
  @FieldSource
  void sidecars(Rule rule) {
    acts(rule);
  }

  @ParameterizedTest
  @FieldSource
  void probes(Rule rule) {
    acts(rule);
  }

  @ParameterizedTest
  @FieldSource
  void acts(Rule rule) {
    assertThat(named(decide(rule.given()))).isEqualTo(named(rule.then()));
  }

  /// What a stop does it for is told elsewhere.
  private static Step named(Step step) {
    return step instanceof Act(Stop stop, _)
        ? new Act(new Stop(stop.podUid(), stop.runs(), stop.killed(), Optional.empty(), ""))
        : step;
  }

  record Sentence(String id, World given, String on, String until) {
    @Override
    public String toString() {
      return id + ": " + until;
    }
  }

  static final List<Sentence> waits =
      List.of(
          new Sentence(
              "NRUN-01",
              NEW,
              "persistentvolume/pv-1",
              "volume pv-1 is mounted for the pod on node n"),
          new Sentence(
              "NRUN-01",
              NEW.mounted().run(INIT, running()),
              "pod/web",
              "init container init has ended"),
          new Sentence(
              "NRUN-07",
              READY.run(APP, ended(1)).run(new ContainerId("pod-1", "app", 1), ended(1)),
              "pod/web",
              "the pause before the next start of container app is over; it has ended 2"
                  + " times, the last time with exit code 1"),
          new Sentence(
              "NRUN-05",
              NEW.pod(POD.replace("persistentVolumeClaim: {claimName: data}", "nfs: {server: s}")),
              "pod/web",
              "the pod asks for nothing that this node agent cannot do: volume data: kind nfs is"
                  + " not supported"),
          new Sentence(
              "NVM-05",
              NEW.mounted()
                  .pod(
                      POD.replace(
                              "name: data, mountPath: /data}",
                              "name: data, mountPath: /data}, {name: again, mountPath: /again}")
                          .replace(
                              "{claimName: data}}",
                              "{claimName: data}}, {name: again, persistentVolumeClaim:"
                                  + " {claimName: data, readOnly: true}}")),
              "pod/web",
              "the pod asks for the volume in one way only: claims data and data are one volume,"
                  + " and the pod wants it in two ways"),
          new Sentence(
              "L12",
              RUNNING.pod(LEAVING).local(here -> here.stopping(Set.of(APP), NOW.plusSeconds(5))),
              "pod/web",
              "its containers have ended: app"),
          new Sentence(
              "L13", // NVM-16: that it may be mounted is enough
              READY.run(APP, ended(0)).pod(LEAVING),
              "persistentvolume/pv-1",
              "its volumes are unpublished on node n"));

  /// NVM-15: after two minutes and three seconds, in a kubelet's words.
  @Test
  void whoWaitsLongForAVolumeIsTold() {
    var late = POD.replace("uid: pod-1", "uid: pod-1, creationTimestamp: \"2026-11-21T11:57:57Z\"");
    var soon = late.replace("11:57:57", "11:57:58");
    assertThat(((Wait) decide(NEW.pod(soon))).notice()).isEmpty();
    assertThat(((Wait) decide(NEW.pod(soon))).again()).contains(NOW.plusSeconds(1));
    assertThat(((Wait) decide(NEW.pod(late))).notice())
        .hasValueSatisfying(notice -> {
          assertThat(notice.reason()).isEqualTo("FailedMount");
          assertThat(notice.message())
              .isEqualTo(
                  "Unable to attach or mount volumes: unmounted volumes=[data], unattached"
                      + " volumes=[data], failed to process volumes=[]: timed out waiting for the"
                      + " condition");
        });
  }

  @ParameterizedTest
  @FieldSource
  void waits(Sentence sentence) {
    var step = decide(sentence.given());
    assertThat(step).isInstanceOf(Wait.class);
    assertThat(((Wait) step).on().toString()).isEqualTo(sentence.on());
    assertThat(((Wait) step).until()).isEqualTo(sentence.until());
  }
}
