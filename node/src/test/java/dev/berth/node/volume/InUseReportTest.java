package dev.berth.node.volume;

import static dev.berth.node.volume.World.ATTACHED;
import static dev.berth.node.volume.World.NAME;
import static dev.berth.node.volume.World.NODE;
import static dev.berth.node.volume.World.POD;
import static dev.berth.node.volume.World.WANTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.InUseReport.Report;
import dev.berth.node.volume.state.Lost;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What the node tells the controller of its volumes, and when.
class InUseReportTest {
  private static final VolumeName LEFT = new VolumeName(World.DRIVER, "left");

  record Rule(String id, String says, World given, Step then) {
    @Override
    public String toString() {
      return id + ": " + says;
    }
  }

  private static Step report(Set<VolumeName> wanted, VolumeName... names) {
    return new Act(new Report(wanted, Set.of(), Set.of(names)));
  }

  /// As the disk tells it to an agent that has just begun.
  private static World withRemains(World world) {
    return world.with(actual ->
        actual.with(
            actual
                .volume(LEFT)
                .with(new Staging.Uncertain(true, Optional.empty()))
                .with("gone", new Publication.Uncertain("pv-left", true))));
  }

  private static final String OWN = "csi: {driver: disk.berth.dev}";

  /// Two volumes have been reported; nobody wants them any more.
  private static World withLost(Lost mount) {
    return ATTACHED
        .without(Kinds.POD, POD)
        .with(
            Kinds.NODE,
            World.ATTACHED_NODE.replace(
                "volumesInUse: [", "volumesInUse: [\"kubernetes.io/csi/disk.berth.dev^left\", "))
        .reported(NAME, LEFT)
        .with(actual -> actual.lose(mount));
  }

  static final List<Rule> rules =
      List.of(
          new Rule(
              "NVM-14",
              "a volume that a pod has come to want is reported at once",
              WANTED,
              report(Set.of(NAME), NAME)),
          new Rule("NVM-12", "what is reported is not written again", ATTACHED, new Settled()),
          new Rule(
              "NVM-14",
              "so does one that nobody wants any more leave at once",
              ATTACHED.without(Kinds.POD, POD),
              report(Set.of())),
          new Rule(
              "NREC-05",
              "the first report has what earlier agents left",
              withRemains(WANTED.without(Kinds.POD, POD)),
              report(Set.of(), LEFT)),
          new Rule(
              "NREC-05",
              "an agent that has just begun writes, whatever its node shows",
              WANTED.with(Kinds.NODE, World.ATTACHED_NODE),
              report(Set.of(NAME), NAME)),
          new Rule(
              "NDWN-02",
              "what is staged stays in the report though its pod is gone",
              ATTACHED
                  .without(Kinds.POD, POD)
                  .withVolume(volume -> volume.with(new Staging.Present(""))),
              new Settled()),
          new Rule(
              "NREC-05",
              "a mount whose note is lost, and of which nothing else is known, may be any volume",
              withLost(new Lost.Published("pod-9", "pv-9")),
              new Settled()),
          new Rule(
              "NREC-05",
              "a mount whose note is lost is no other volume than its name's",
              withLost(new Lost.Published("pod-9", "pv-1")),
              report(Set.of(NAME), NAME)),
          new Rule(
              "NVM-12",
              "a pod's own volume whose note is lost keeps no other one",
              withLost(new Lost.Published("pod-1", "data"))
                  .with(Kinds.POD, POD.replace("persistentVolumeClaim: {claimName: data}", OWN)),
              report(Set.of())),
          new Rule(
              "NREC-05",
              "what is staged whose note is lost keeps the volume that it may be",
              withLost(new Lost.Staged(World.DRIVER, Layout.sha256("left"))),
              report(Set.of(LEFT), LEFT)),
          new Rule(
              "NVM-08",
              "a driver that never attaches is not reported",
              WANTED.with(
                  Kinds.CSI_DRIVER,
                  "{metadata: {name: disk.berth.dev}, spec: {attachRequired: false}}"),
              new Act(new Report(Set.of(), Set.of(World.DRIVER), Set.of()))),
          new Rule(
              "NVM-14",
              "a report that somebody took away is written again",
              ATTACHED.with(Kinds.NODE, NODE),
              report(Set.of(NAME), NAME)));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    assertThat(new InUseReport("n").decide(rule.given.view(), "n")).isEqualTo(rule.then);
  }
}
