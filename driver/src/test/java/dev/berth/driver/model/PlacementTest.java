package dev.berth.driver.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Where a volume may be (TOP-01).
class PlacementTest {
  private static final Topology A = Topology.of("zone", "a");
  private static final Topology B = Topology.of("zone", "b");
  private static final Topology RACK = new Topology(Map.of("zone", "a", "rack", "1"));

  @Test
  void oneOfWhatIsRequiredIsEnough() {
    var placement = new Placement(List.of(A, B), List.of());
    assertThat(placement.accepts(List.of(B))).isTrue();
    assertThat(placement.accepts(List.of(Topology.of("zone", "c"), A))).isTrue();
    assertThat(placement.accepts(List.of(Topology.of("zone", "c")))).isFalse();
  }

  @Test
  void whatIsRequiredCountsBeforeWhatIsPreferred() {
    assertThat(new Placement(List.of(A), List.of(B)).accepts(List.of(B))).isFalse();
    assertThat(new Placement(List.of(), List.of(B)).accepts(List.of(B))).isTrue();
    assertThat(new Placement(List.of(), List.of(B)).accepts(List.of(A))).isFalse();
  }

  @Test
  void whatIsReachableFromEverywhereOrMayBeAnywhereWillDo() {
    assertThat(new Placement(List.of(A), List.of()).accepts(List.of())).isTrue();
    assertThat(Placement.ANYWHERE.accepts(List.of(B))).isTrue();
  }

  @Test
  void aPlaceWithinAPlaceIsThere() {
    assertThat(new Placement(List.of(A), List.of()).accepts(List.of(RACK))).isTrue();
    assertThat(new Placement(List.of(RACK), List.of()).accepts(List.of(A))).isTrue();
    assertThat(new Placement(List.of(RACK), List.of()).accepts(List.of(B))).isFalse();
  }
}
