package dev.berth.driver.disk.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.disk.ledger.Parsed;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Source;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.VolumeRecipe;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ParsedTest {
  /// A record that was put is remembered as it was given, so it has to be what a reader makes of
  /// it; mount flags are written as a digest, which says as much as they do.
  @Test
  void aVolumeIsReadAsItWasPut() {
    var place = Topology.of(VolumeRecord.ZONE, "here");
    var recipe =
        new VolumeRecipe(
            "a name\n\twith \"signs\"",
            new SizeRange(5, OptionalLong.of(1L << 40)),
            List.of(
                new Usage(
                        new Access.Mount("xfs", List.of("noatime"), "12"),
                        AccessMode.SINGLE_NODE_WRITER)
                    .kept()),
            Map.of("allocation", "thick"),
            Map.of("readIops", "7"),
            Optional.of(new Source.OfVolume("vol")),
            new Placement(List.of(place), List.of(place)));
    var record =
        new VolumeRecord(
            "vol-a", 1 << 20, 4096, List.of("here", "there"), recipe, Map.of("readIops", "8"));
    assertThat(VolumeRecord.of(record.values())).isEqualTo(record);
  }

  @Test
  void anotherEntryIsTakenApartAnew() {
    var parsed = new Parsed<>("id", HashMap::new);
    var entry = Map.of("id", "a", "size", "1");
    assertThat(parsed.of(entry)).isEqualTo(entry).isSameAs(parsed.of(entry));
    var next = Map.of("id", "a", "size", "2");
    assertThat(parsed.of(next)).isEqualTo(next);
  }

  @Test
  void itDoesNotGrowForEver() {
    var parsed = new Parsed<>("id", HashMap::new);
    for (var i = 0; i < 5000; i++) {
      var entry = Map.of("id", "volume " + i);
      assertThat(parsed.of(entry)).isEqualTo(entry);
    }
  }
}
