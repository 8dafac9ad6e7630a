package dev.berth.sidecar.provisioner.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static Segment segment(String... pairs) {
    var map = new java.util.TreeMap<String, String>();
    for (int i = 0; i < pairs.length; i += 2) map.put(pairs[i], pairs[i + 1]);
    return new Segment(map);
  }

  @Test
  void areOrderedByLengthThenPairByPairAndStandOnce() { // PROV-81
    var both = segment("rack", "1", "zone", "a");
    var ordered =
        Segments.ordered(
            Stream.of(segment("zone", "b"), both, segment("zone", "a"), segment("zone", "b")));

    assertThat(ordered).containsExactly(segment("zone", "a"), segment("zone", "b"), both);
  }

  @Test
  void aShorterSegmentContainsALongerOne() { // PROV-84
    var zone = segment("zone", "a");
    var rack = segment("rack", "1", "zone", "a");

    assertThat(zone.contains(rack)).isTrue();
    assertThat(rack.contains(zone)).isFalse();
  }

  @Test
  void preferenceIsARotation() {
    var a = segment("zone", "a");
    var b = segment("zone", "b");
    var c = segment("zone", "c");

    assertThat(new Segments(List.of(a, b, c), 1).preferred()).containsExactly(b, c, a);
  }

  @Test
  void ofVeryManyOnlyTheNearestAreSent() {
    var all =
        Segments.ordered(
            IntStream.range(0, 1500).mapToObj(i -> Segment.of(Map.of("host", "n" + i))));

    var sent = Segments.nearest(all, 1400);

    assertThat(sent.requisite()).hasSize(Segments.MOST);
    assertThat(sent.preferred().getFirst()).isEqualTo(all.get(1400));
  }
}
