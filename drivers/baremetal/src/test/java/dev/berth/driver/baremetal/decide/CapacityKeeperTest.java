package dev.berth.driver.baremetal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.driver.baremetal.decide.CapacityEffect.Offer;
import dev.berth.driver.baremetal.decide.CapacityEffect.Resize;
import dev.berth.driver.baremetal.decide.CapacityEffect.Withdraw;
import dev.berth.driver.baremetal.object.AvailableCapacity;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Sharing;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is told of a drive's capacity (BM-12, BM-80, BM-82, BM-85).
class CapacityKeeperTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final long SIZE = 64L << 20;
  private static final String WELL = "Health: GOOD, Status: ONLINE, Usage: IN_USE, IsClean: true";

  private static Drive drive(String labels, String spec, String status) {
    try {
      return BareMetalKinds.DRIVE
          .read()
          .apply(
              YAML.readTree(
                  """
                  metadata: {name: d, uid: u, labels: {%s}}
                  spec: {VID: V, PID: P, SerialNumber: S, Type: SSD, Size: %d, NodeId: n, Admitted: true%s}
                  status: {%s}
                  """
                      .formatted(labels, SIZE, spec, status)));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static AvailableCapacity told(long size) {
    var drive = drive("", "", WELL);
    return BareMetalKinds.CAPACITY.read().apply(AvailableCapacity.draft(drive, "SSD", size));
  }

  private static Step decide(@Nullable Drive drive, @Nullable AvailableCapacity capacity) {
    var objects = Snapshots.empty();
    objects =
        drive == null
            ? objects.with(BareMetalKinds.DRIVE)
            : objects.with(BareMetalKinds.DRIVE, drive);
    objects =
        capacity == null
            ? objects.with(BareMetalKinds.CAPACITY)
            : objects.with(BareMetalKinds.CAPACITY, capacity);
    return new CapacityKeeper("n").decide(Facts.of(objects), ObjectKey.cluster("d"));
  }

  /// BM-12, BM-80, BM-82, BM-85: nothing is told of what nobody can have, and 0 of what somebody
  /// could have before.
  @Test
  void whatAVolumeCouldHave() {
    var well = drive("", "", WELL);
    var whole = told(SIZE);
    assertThat(decide(well, null)).isEqualTo(new Act(new Offer(well, "SSD", SIZE)));
    assertThat(decide(well, whole)).isEqualTo(new Settled());
    assertThat(decide(null, whole)).isEqualTo(new Act(new Withdraw(whole)));
    assertThat(decide(drive("", ", Claimant: default/v", WELL), null)).isEqualTo(new Settled());
    for (var less :
        new Drive[] {
          drive("", ", Claimant: default/v", WELL),
          drive("", ", PendingWipe: default/v", WELL),
          drive("", "", WELL.replace("GOOD", "SUSPECT")),
          drive("", "", WELL.replace("ONLINE", "OFFLINE")),
          drive("", "", WELL.replace("IN_USE", "RELEASED")),
          drive("", "", WELL.replace("true", "false"))
        })
      assertThat(decide(less, whole))
          .as(less.toString())
          .isEqualTo(new Act(new Resize(whole, "SSD", 0)));
    assertThat(decide(drive("", "", WELL.replace("GOOD", "UNKNOWN")), whole))
        .isEqualTo(new Settled());
    // the object stays, who chooses a drive looks at the label
    var tainted = drive("drive.csi-baremetal.dell.com/taint: NoSchedule", "", WELL);
    assertThat(decide(tainted, whole)).isEqualTo(new Settled());
    assertThat(tainted.available()).isFalse();
    assertThat(tainted.room()).isZero();
  }

  /// BM-210: of a drive that is shared, what is left.
  @Test
  void whatIsLeftOfASharedDrive() {
    var shares = ", Pool: true, Shares: [{Volume: default/v, UID: u, Size: 1048576}]";
    var shared = drive("", shares, WELL.replace("true", "false"));
    long left = Sharing.usable(SIZE) - (1 << 20);
    var whole = told(SIZE);
    assertThat(decide(shared, whole)).isEqualTo(new Act(new Resize(whole, "SSDSHARED", left)));
  }
}
