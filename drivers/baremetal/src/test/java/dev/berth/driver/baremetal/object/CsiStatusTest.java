package dev.berth.driver.baremetal.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The moves of a volume (BM-20, BM-88, BM-103): all of them, and no others.
class CsiStatusTest {
  @Test
  void theMovesThatThereAre() {
    var moves =
        Map.of(
            CsiStatus.CREATING, Set.of(CsiStatus.CREATED, CsiStatus.FAILED, CsiStatus.REMOVING),
            CsiStatus.CREATED,
                Set.of(CsiStatus.VOLUME_READY, CsiStatus.REMOVING, CsiStatus.REMOVED),
            CsiStatus.VOLUME_READY, Set.of(CsiStatus.CREATED, CsiStatus.PUBLISHED),
            CsiStatus.PUBLISHED, Set.of(CsiStatus.VOLUME_READY),
            CsiStatus.REMOVING, Set.of(CsiStatus.REMOVED, CsiStatus.FAILED),
            CsiStatus.FAILED, Set.of(CsiStatus.REMOVING, CsiStatus.REMOVED),
            CsiStatus.REMOVED, Set.<CsiStatus>of());
    for (var from : CsiStatus.values()) {
      var may = EnumSet.noneOf(CsiStatus.class);
      for (var to : CsiStatus.values()) if (to != from && from.mayBecome(to)) may.add(to);
      assertThat(may).as(from.name()).isEqualTo(moves.get(from));
      assertThat(from.mayBecome(from)).isTrue();
    }
  }

  /// Names that CSI allows and Kubernetes does not have an object all the same.
  @Test
  void everyVolumeHasAName() {
    assertThat(LocalVolume.key("pvc-1").name()).isEqualTo("pvc-1");
    assertThat(LocalVolume.key("Sanity 1").name()).matches("v-[0-9a-f-]{36}");
    assertThat(LocalVolume.key("Sanity 1")).isNotEqualTo(LocalVolume.key("sanity 1"));
    var uuid = "0f0e0d0c-0b0a-4908-8706-050403020100";
    assertThat(LocalVolume.uuid("pvc-" + uuid)).hasToString(uuid);
  }
}
