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
import dev.berth.node.pod.PodEffect.Release;
import dev.berth.node.pod.PodEffect.Renew;
import dev.berth.node.pod.PodEffect.Start;
import dev.berth.node.pod.PodEffect.Stop;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
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
          objects, NOW, Agent.at(InetAddress.getLoopbackAddress()), actual, local, DrainOrder.NONE);
    }

    Start start(ContainerId id) {
      var pod = view().pod("pod-1").orElseThrow();
      Map<String, Want> volumes = new HashMap<>();
      for (var need : view().needs(pod))
        if (need instanceof Need.Known(var name, var want)) volumes.put(name, want);
      var container = ContainerTemplate.of(pod).filter(c -> c.name().equals(id.name())).findFirst();
      return new Start(pod, container.orElseThrow(), id.attempt(), volumes);
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
    return new Act(new Stop("pod-1", Set.of(id), NOW.plus(after)));
  }

  private static final String SHOWS =
      POD.replace("volumes: [", "volumes: [{name: api, projected: {sources: []}}, ");
  private static final World SHOWING = READY.pod(SHOWS);

  static final List<Rule> acts =
      List.of(
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
  void acts(Rule rule) {
    assertThat(decide(rule.given())).isEqualTo(rule.then());
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
              "L13",
              READY.run(APP, ended(0)).pod(LEAVING),
              "persistentvolume/pv-1",
              "its volumes are unpublished on node n"));

  @ParameterizedTest
  @FieldSource
  void waits(Sentence sentence) {
    var step = decide(sentence.given());
    assertThat(step).isInstanceOf(Wait.class);
    assertThat(((Wait) step).on().toString()).isEqualTo(sentence.on());
    assertThat(((Wait) step).until()).isEqualTo(sentence.until());
  }
}
