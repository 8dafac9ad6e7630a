package dev.berth.driver.baremetal.manager.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The file of the loopback back end (BM-58).
class LoopbackPlanTest {
  @Test
  void anEmptyFileIsThreeUsualDrives() {
    var drives = LoopbackPlan.parse("{}", "a").drives();
    assertThat(drives).hasSize(3).allMatch(it -> it.size() == 101L << 20);
    assertThat(drives).allMatch(it -> it.identity().vid().equals("Test"));
    assertThat(drives).allMatch(it -> it.identity().serial().startsWith("LOOPBACK"));
    assertThat(drives).allMatch(it -> it.type() == DriveType.HDD && it.health() == Health.GOOD);
    var ofOther = LoopbackPlan.parse("{}", "b").drives();
    assertThat(ofOther.getFirst().identity()).isNotEqualTo(drives.getFirst().identity());
  }

  @Test
  void aDriveIsAsItIsDescribed() {
    var drive =
        LoopbackPlan.parse(
                """
                defaultDriveSize: 64Mi
                nodes:
                - nodeID: a
                  driveCount: 2
                  drives:
                  - {serialNumber: S1, vid: V, pid: P, removed: true, health: bad, driveType: nvme, led: 2}
                """,
                "a")
            .drives()
            .getFirst();
    assertThat(drive.identity().toString()).isEqualTo("V P, serial number S1");
    assertThat(drive.removed()).isTrue();
    assertThat(drive.health()).isEqualTo(Health.BAD);
    assertThat(drive.type()).isEqualTo(DriveType.NVME);
    assertThat(drive.size()).isEqualTo(64L << 20);
  }

  /// What is of another kind than it should be is not taken for something near it.
  @Test
  void aWrongValueIsRefusedByTheNameOfItsField() {
    var wrong = new ArrayList<String>();
    var node = "nodes: [{nodeID: a, %s}]";
    var drive = node.formatted("drives: [{%s}]");
    Map.of(
            node.formatted("driveCount: two"),
            "driveCount \"two\"",
            node.formatted("driveCount: 99999999999"),
            "driveCount 99999999999",
            node.formatted("drives: nonsense"),
            "drives \"nonsense\"",
            drive.formatted("removed: yes please"),
            "removed \"yes please\"",
            drive.formatted("vid: [x]"),
            "vid [\"x\"]",
            drive.formatted("size: much"),
            "size much",
            drive.formatted("size: 99Ei"),
            "size 99Ei",
            "nodes: {nodeID: a}",
            "nodes {",
            "nodes: [{driveCount: 1}]",
            "no nodeID",
            "nodes: [{nodeID: a}, {nodeID: a}]",
            "nodeID a is there twice")
        .forEach((text, words) -> {
          try {
            wrong.add(text + ": taken as " + LoopbackPlan.parse(text, "a"));
          } catch (IllegalArgumentException e) {
            if (!String.valueOf(e.getMessage()).contains(words))
              wrong.add(text + ": " + e.getMessage());
          }
        });
    assertThat(wrong).isEqualTo(List.of());
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    var wrong = new ArrayList<String>();
    Map.of(
            "[", "no YAML",
            "defaultDriveSize: 10", "defaultDriveSize 10",
            "sizes: 1", "unknown field sizes",
            "defaultDrivePerNodeCount: 1000", "defaultDrivePerNodeCount 1000",
            "nodes: [{nodeID: a, drives: [{health: rotten}]}]", "health 'rotten'",
            "nodes: [{nodeID: a, drives: [{serialNumber: ../x}]}]", "serialNumber '../x'",
            "nodes: [{nodeID: a, drives: [{serialNumber: x}, {serialNumber: x}]}]", "two drives")
        .forEach((text, words) -> {
          try {
            LoopbackPlan.parse(text, "a");
            wrong.add("taken: " + text);
          } catch (IllegalArgumentException e) {
            if (!String.valueOf(e.getMessage()).contains(words))
              wrong.add(text + ": " + e.getMessage());
          }
        });
    assertThat(wrong).isEqualTo(List.of());
    assertThatThrownBy(() -> LoopbackPlan.parse("nodes: [{nodeId: a}]", "a"))
        .hasMessageContaining("nodeId");
  }
}
