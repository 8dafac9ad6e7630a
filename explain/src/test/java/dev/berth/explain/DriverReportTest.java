package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.explain.answer.Gaps;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How a driver stands as a whole (DRV-01, DRV-02).
class DriverReportTest {
  @Test
  void whatThereIsIsTold() throws IOException {
    var report = report("attacher-has-stopped", "disk.berth.dev");
    assertThat(report.facts())
        .contains("attacher: its lease has run out, so it seems to have stopped")
        .anyMatch(fact -> fact.startsWith("registered on 1 of 1 nodes"));
    assertThat(report.findings())
        .singleElement()
        .satisfies(it -> assertThat(it.what()).contains("no attacher holds a lease"));
  }

  @Test
  void aClassOfADriverThatIsNotThereIsAContradiction() throws IOException {
    var report = report("driver-is-unknown", "ghost.example.com");
    assertThat(report.findings())
        .singleElement()
        .satisfies(it -> assertThat(it.what()).contains("neither a CSIDriver nor a node"));
    assertThat(report.verdict().exitCode()).isEqualTo(12);
  }

  @Test
  void capacityThatNobodyReportsIsAContradiction() throws IOException {
    assertThat(report("no-capacity-is-reported", "disk.berth.dev").findings())
        .anyMatch(it -> it.what().contains("no CSIStorageCapacity"));
  }

  @Test
  void allThatItsObjectSaysIsTold() throws IOException { // DRV-01
    assertThat(report("healthy", "disk.berth.dev").facts())
        .contains(
            "CSIDriver: attachRequired=true, storageCapacity=false, requiresRepublish=false,"
                + " podInfoOnMount=false, fsGroupPolicy=ReadWriteOnceWithFSType,"
                + " volumeLifecycleModes=Persistent, seLinuxMount=false");
  }

  @Test
  void inlineVolumesThatLookLikeOthersAreAContradiction() throws IOException { // DRV-02
    var modes = "CSIDriver/disk.berth.dev spec.volumeLifecycleModes=[Persistent, Ephemeral]";
    assertThat(report("healthy", "disk.berth.dev", modes).findings())
        .singleElement()
        .satisfies(it -> assertThat(it.what()).contains("podInfoOnMount is false"));
  }

  @Test
  void aHealthyDriverHasNone() throws IOException {
    assertThat(report("healthy", "disk.berth.dev").findings()).isEmpty();
  }

  @Test
  void whatNothingNamesIsNoDriver() throws IOException {
    assertThat(report("healthy", "no-such").named()).isFalse();
    assertThat(report("healthy", "disk.berth.dev").named()).isTrue();
    assertThat(report("driver-is-unknown", "ghost.example.com").named()).isTrue();
  }

  private static DriverReport report(String world, String driver, String... edits)
      throws IOException {
    return DriverReport.of(
        driver, World.named(world).objects(List.of(edits)), Gaps.NONE, World.NOW);
  }
}
