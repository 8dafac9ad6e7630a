package dev.berth.node.volume;

import static dev.berth.node.volume.World.ATTACHED;
import static dev.berth.node.volume.World.DRIVER;
import static dev.berth.node.volume.World.NAME;
import static dev.berth.node.volume.World.WANTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.node.volume.MountEffect.Forget;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Republish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.MountEffect.Unpublish;
import dev.berth.node.volume.MountEffect.Unstage;
import dev.berth.node.volume.MountEffect.Verify;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import dev.berth.node.volume.state.VolumeState;
import dev.berth.node.volume.state.VolumeState.Attached;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class MountDecisionTest {
  private static final Attached PROOF = new Attached("va-1", Map.of("device", "loop7"));
  private static final Publication PUBLISHED = new Publication.Present("pv-1", World.NOW);
  private static final String LEAVING =
      World.POD.replace("uid: pod-1", "uid: pod-1, deletionTimestamp: \"2026-11-21T11:59:58Z\"");
  private static final String LEAVING_WITH_ITS_OWN =
      LEAVING.replace(
          "persistentVolumeClaim: {claimName: data}", "ephemeral: {volumeClaimTemplate: {}}");
  private static final String ENDED = World.POD.replace("phase: Pending", "phase: Succeeded");
  private static final String OTHER_POD =
      World.POD.replace("web", "other").replace("pod-1", "pod-2").replace("11:59:50", "11:59:58");

  private static final String RENEWS =
      "{metadata: {name: disk.berth.dev}, spec: {requiresRepublish: true}}";

  /// Staged for one pod, published for it.
  private static final World MOUNTED =
      ATTACHED
          .withVolume(volume -> volume.with(PROOF).with(new Staging.Present("")))
          .withVolume(volume -> volume.with("pod-1", PUBLISHED));

  record Rule(String id, String says, World given, Step then) {
    @Override
    public String toString() {
      return id + ": " + says;
    }
  }

  private static Rule rule(String id, String says, World given, Step then) {
    return new Rule(id, says, given, then);
  }

  private static Act act(MountEffect effect) {
    return new Act(effect);
  }

  private static World staged(UnaryOperator<VolumeState> more) {
    return ATTACHED.withVolume(
        volume -> more.apply(volume.with(PROOF).with(new Staging.Present(""))));
  }

  static final List<Rule> effects =
      List.of(
          rule("AD-63", "attached is proved by a live look", ATTACHED, act(new Verify(NAME))),
          rule(
              "NCSI-02",
              "proved, it is staged",
              ATTACHED.withVolume(volume -> volume.with(PROOF)),
              act(new Stage(ATTACHED.want(), Optional.empty()))),
          rule(
              "NREC-04",
              "a staging of which nobody knows is done again",
              ATTACHED.withVolume(
                  v -> v.with(PROOF).with(new Staging.Uncertain(true, Optional.of("")))),
              act(new Stage(ATTACHED.want(), Optional.empty()))),
          rule(
              "NCSI-02",
              "staged, it is published",
              staged(volume -> volume),
              act(new Publish(ATTACHED.want(), false, Optional.empty()))),
          rule(
              "NCSI-02",
              "a driver without staging is asked to publish",
              ATTACHED.withVolume(v -> v.with(PROOF).with(new Staging.Skipped())),
              act(new Publish(ATTACHED.want(), false, Optional.empty()))),
          rule("NVM-01", "mounted is settled", MOUNTED, new Settled()),
          rule(
              "NVM-10",
              "an uncertain mount is made again",
              staged(v -> v.with("pod-1", new Publication.Uncertain("pv-1", true))),
              act(new Publish(ATTACHED.want(), false, Optional.empty()))),
          rule(
              "NVM-08",
              "a driver that never attaches waits for nothing",
              WANTED.with(
                  Kinds.CSI_DRIVER,
                  "{metadata: {name: disk.berth.dev}, spec: {attachRequired: false}}"),
              act(new Stage(WANTED.want(), Optional.empty()))),
          rule(
              "NCSI-08",
              "a driver that asks hears which pod it is",
              staged(volume -> volume)
                  .with(
                      Kinds.CSI_DRIVER,
                      "{metadata: {name: disk.berth.dev}, spec: {podInfoOnMount: true}}"),
              act(new Publish(ATTACHED.want(), true, Optional.empty()))),
          rule(
              "NCSI-09",
              "a driver that asks gets tokens of the pod's account",
              staged(volume -> volume)
                  .with(
                      Kinds.CSI_DRIVER,
                      "{metadata: {name: disk.berth.dev}, spec: {serviceAccountTokenInSecrets:"
                          + " true, tokenRequests: [{audience: vault, expirationSeconds: 900}]}}"),
              act(
                  new Publish(
                      ATTACHED.want(),
                      false,
                      Optional.empty(),
                      Optional.of(
                          new CsiDriver.Tokens(
                              List.of(new CsiDriver.TokenRequest("vault", OptionalLong.of(900))),
                              true))))),
          rule(
              "NOPX-02",
              "a second pod has it published after the first",
              MOUNTED.with(Kinds.POD, OTHER_POD),
              act(
                  new Publish(
                      MOUNTED.with(Kinds.POD, OTHER_POD).view().wants(NAME).get(1),
                      false,
                      Optional.empty()))),
          rule(
              "NVM-01",
              "a pod that leaves and runs nothing loses its mount",
              MOUNTED.with(Kinds.POD, LEAVING),
              act(new Unpublish(NAME, "pod-1"))),
          rule(
              "NRUN-08",
              "so does one that has ended, though its object stays",
              MOUNTED.with(Kinds.POD, ENDED),
              act(new Unpublish(NAME, "pod-1"))),
          rule(
              "NVM-01",
              "and one whose object is gone",
              MOUNTED.without(Kinds.POD, World.POD),
              act(new Unpublish(NAME, "pod-1"))),
          rule(
              "NOPX-01",
              "unmount comes before mount",
              MOUNTED.with(Kinds.POD, LEAVING).with(Kinds.POD, OTHER_POD),
              act(new Unpublish(NAME, "pod-1"))),
          rule(
              "NRUN-08",
              "after a pod that has ended it is unstaged, though the pod's object stays",
              staged(volume -> volume).with(Kinds.POD, ENDED),
              act(new Unstage(NAME))),
          rule(
              "AD-61",
              "it is unstaged when the last pod is gone",
              staged(volume -> volume).without(Kinds.POD, World.POD),
              act(new Unstage(NAME))),
          rule(
              "EPH-04",
              "a pod that leaves and never had the claim, which another owns, keeps nothing staged",
              staged(volume -> volume)
                  .with(Kinds.POD, LEAVING_WITH_ITS_OWN)
                  .with(Kinds.CLAIM, World.CLAIM.replace("name: data", "name: web-data"))
                  .with(Kinds.VOLUME, World.VOLUME.replace("name: data", "name: web-data")),
              act(new Unstage(NAME))),
          rule(
              "NREC-08",
              "found on disk without a pod, claim or volume, it is unstaged",
              new World(Snapshots.empty(), World.NOW, Actual.NOTHING, Set.of(DRIVER))
                  .withVolume(v -> v.with(new Staging.Uncertain(true, Optional.of("")))),
              act(new Unstage(NAME))),
          rule(
              "NVM-12",
              "unstaged and unwanted, it is forgotten and leaves the report",
              ATTACHED.withVolume(v -> v.with(PROOF)).without(Kinds.POD, World.POD),
              act(new Forget(NAME))),
          rule(
              "NVM-02",
              "a volume that no container uses is not mounted",
              ATTACHED.with(
                  Kinds.POD, World.POD.replace("name: data, mountPath", "name: x, mountPath")),
              new Settled()),
          rule(
              "NCSI-10", // NVM-07
              "a driver that asks for it publishes again after a minute",
              MOUNTED.with(Kinds.CSI_DRIVER, RENEWS).at(World.NOW.plusSeconds(60)),
              act(new Republish(new Publish(ATTACHED.want(), false, Optional.empty())))),
          rule(
              "NCSI-10",
              "until then it rests",
              MOUNTED.with(Kinds.CSI_DRIVER, RENEWS).at(World.NOW.plusSeconds(59)),
              new Settled().lookAgainAt(World.NOW.plusSeconds(60))),
          rule(
              "NCSI-10",
              "for whom it was longest ago",
              MOUNTED
                  .with(Kinds.CSI_DRIVER, RENEWS)
                  .with(Kinds.POD, OTHER_POD)
                  .withVolume(v ->
                      v.with("pod-2", new Publication.Present("pv-1", World.NOW.minusSeconds(61)))),
              act(
                  new Republish(
                      new Publish(
                          MOUNTED.with(Kinds.POD, OTHER_POD).view().wants(NAME).get(1),
                          false,
                          Optional.empty())))),
          rule(
              "NVM-03",
              "a claim that is bound to another volume's name mounts nothing",
              ATTACHED.with(Kinds.VOLUME, World.VOLUME.replace("claim-1", "claim-0")),
              new Settled()));

  @ParameterizedTest
  @FieldSource("effects")
  void acts(Rule rule) {
    assertThat(new MountDecision().decide(rule.given().view(), NAME)).isEqualTo(rule.then());
  }

  record Sentence(String id, World given, String on, String field, String until) {
    @Override
    public String toString() {
      return id + ": " + until;
    }
  }

  /// NVM-13, AD-60: all that has to be seen before the driver may hear of a volume is here.
  static final List<Sentence> waits =
      List.of(
          new Sentence(
              "NVM-12",
              WANTED,
              "node/n",
              "status.volumesInUse",
              "the agent of node n has reported kubernetes.io/csi/disk.berth.dev^vol-1 in use"),
          new Sentence(
              "L07",
              WANTED.reported(NAME).without(Kinds.ATTACHMENT, World.ATTACHMENT),
              "volumeattachment/" + NAME.attachment("n"),
              "",
              "the attach/detach controller asks for the volume to be attached"),
          new Sentence(
              "L08",
              WANTED.reported(NAME),
              "volumeattachment/" + NAME.attachment("n"),
              "status.attached",
              "driver disk.berth.dev has attached the volume"),
          new Sentence(
              "L09",
              WANTED.reported(NAME).with(Kinds.ATTACHMENT, World.ATTACHMENT),
              "node/n",
              "status.volumesAttached",
              "the attach/detach controller lists kubernetes.io/csi/disk.berth.dev^vol-1"),
          new Sentence(
              "NDWN-01",
              ATTACHED.withVolume(v -> v.with(PROOF)).withDrivers(),
              "csinode/n",
              "spec.drivers",
              "driver disk.berth.dev has registered on node n"),
          new Sentence(
              "NREC-07",
              MOUNTED.with(Kinds.POD, LEAVING).with(a -> a.hold("pod-1", List.of()).orElseThrow()),
              "pod/web",
              "status.containerStatuses",
              "the containers that have the volume mounted have ended"),
          new Sentence(
              "AD-61",
              staged(volume -> volume).with(Kinds.POD, LEAVING),
              "pod/web",
              "",
              "the pod that had the volume is gone"),
          new Sentence(
              "NCSI-07",
              MOUNTED
                  .with(Kinds.POD, OTHER_POD)
                  .with(Kinds.VOLUME, World.VOLUME.replace("ReadWriteOnce", "ReadWriteOncePod")),
              "pod/web",
              "",
              "the other pod that has the ReadWriteOncePod volume is gone"),
          new Sentence(
              "NOPX-05",
              ATTACHED.with(
                  Kinds.VOLUME,
                  World.VOLUME
                      + "  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions:"
                      + " [{key: zone, operator: In, values: [b]}]}]}}"),
              "persistentvolume/pv-1",
              "spec.nodeAffinity",
              "node n is one from which the volume can be reached"),
          new Sentence(
              "NCSI-11",
              ATTACHED.with(
                  Kinds.CSI_DRIVER,
                  "{metadata: {name: disk.berth.dev}, spec: {volumeLifecycleModes: [Ephemeral]}}"),
              "csidriver/disk.berth.dev",
              "spec.volumeLifecycleModes",
              "driver disk.berth.dev supports persistent volumes"));

  @ParameterizedTest
  @FieldSource
  void waits(Sentence sentence) {
    var step = new MountDecision().decide(sentence.given().view(), NAME);
    assertThat(step).isInstanceOf(Wait.class);
    var wait = (Wait) step;
    assertThat(wait.on().toString()).isEqualTo(sentence.on());
    assertThat(wait.field()).isEqualTo(sentence.field());
    assertThat(wait.until()).isEqualTo(sentence.until());
  }

  @Test
  void whoCannotLeaveForWantOfADriverIsToldWhich() { // NDWN-03
    var soon = MOUNTED.with(Kinds.POD, LEAVING).withDrivers();
    assertThat(notice(soon)).isEmpty();
    var late = MOUNTED.with(Kinds.POD, LEAVING.replace("11:59:58", "11:59:28")).withDrivers();
    assertThat(notice(late).orElseThrow().message())
        .startsWith(
            "the pod stays until driver disk.berth.dev unmounts volume vol-1, and that is not"
                + " registered on node n");
  }

  private static Optional<Notice> notice(World world) {
    var wait = (Wait) new MountDecision().decide(world.view(), NAME);
    assertThat(wait.until()).isEqualTo("driver disk.berth.dev has registered on node n");
    return wait.notice();
  }
}
